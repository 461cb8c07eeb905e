printf 'caps: {top_k: 100}\n' > config.yaml
