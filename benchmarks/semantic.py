"""Semantic records against their peers, as ratios within one run.

    python benchmarks/semantic.py [--sizes N…] [--dimensions 384] [--peer hnswlib] [--peer sqlite-vec=PYTHON] …

A peer runs in the environment whose Python stands after its name (this one's without): hnswlib, chromadb, lancedb,
sqlite-vec (through apsw). Data: unit vectors around 4,000 centres, with four metadata keys that select 50 %, 10 %, 1 %
and 0.1 %. One-shot figures are CPU times (user and system) of whole processes with a warm page cache, medians of
interleaved runs, told as multiples of `python -c pass` in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

RUNS = 7
SHARES = {"half": 2, "tenth": 10, "hundredth": 100, "thousandth": 1000}

PEERS = {
    "hnswlib": (
        (
            "import hnswlib,numpy as np;v=np.load('{npy}');i=hnswlib.Index('cosine',v.shape[1]);"
            "i.init_index(len(v),M=16,ef_construction=200);i.add_items(v);i.save_index('{place}')"
        ),
        (
            "import hnswlib,numpy as np;q=np.load('{query}');i=hnswlib.Index('cosine',len(q));i.load_index('{place}');"
            "i.set_ef(64);i.knn_query(q,k=10)"
        ),
        (
            "import hnswlib,numpy as np;q=np.load('{query}');i=hnswlib.Index('cosine',len(q));"
            "i.load_index('{place}',max_elements={count}+1);i.add_items(q,[{count}]);i.save_index('{place}.new')"
        ),
    ),
    "sqlite-vec": (
        (
            "import apsw,sqlite_vec,numpy as np;v=np.load('{npy}');c=apsw.Connection('{place}');"
            "c.enable_load_extension(True);c.load_extension(sqlite_vec.loadable_path());"
            "c.execute('create virtual table t using vec0(e float[%d] distance_metric=cosine,half text)'%v.shape[1]);"
            "c.execute('begin');c.executemany('insert into t(rowid,e,half) values(?,?,?)',"
            "((n,r.tobytes(),str(n%2)) for n,r in enumerate(v)));c.execute('commit')"
        ),
        (
            "import apsw,sqlite_vec;q=open('{raw}','rb').read();c=apsw.Connection('{place}');"
            "c.enable_load_extension(True);c.load_extension(sqlite_vec.loadable_path());"
            "list(c.execute('select rowid,distance from t where e match ? and k=10',(q,)))"
        ),
        None,
    ),
    "chromadb": (
        (
            "import chromadb,numpy as np;v=np.load('{npy}');c=chromadb.PersistentClient('{place}');"
            "t=c.create_collection('t',metadata={{'hnsw:space':'cosine'}});\n"
            "for s in range(0,len(v),5000):\n"
            " m=range(s,min(s+5000,len(v)));t.add(ids=[str(n) for n in m],embeddings=v[s:s+5000],"
            "metadatas=[{{'half':str(n%2)}} for n in m])"
        ),
        (
            "import chromadb,numpy as np;q=np.load('{query}');"
            "chromadb.PersistentClient('{place}').get_collection('t').query(query_embeddings=[q],n_results=10)"
        ),
        (
            "import chromadb,numpy as np;q=np.load('{query}');"
            "chromadb.PersistentClient('{place}').get_collection('t').upsert("
            "ids=['new'],embeddings=[q],metadatas=[{{'half':'0'}}])"
        ),
    ),
    "lancedb": (
        (
            "import lancedb,numpy as np;v=np.load('{npy}');"
            "lancedb.connect('{place}').create_table('t',"
            "[{{'id':str(n),'vector':r,'half':str(n%2)}} for n,r in enumerate(v)])"
        ),
        (
            "import lancedb,numpy as np;q=np.load('{query}');"
            "lancedb.connect('{place}').open_table('t').search(q).metric('cosine').limit(10).to_list()"
        ),
        (
            "import lancedb,numpy as np;q=np.load('{query}');"
            "lancedb.connect('{place}').open_table('t').merge_insert('id').when_matched_update_all()"
            ".when_not_matched_insert_all().execute([{{'id':'new','vector':q,'half':'0'}}])"
        ),
    ),
}


def make_data(place: Path, count: int, dimensions: int) -> dict[str, str]:
    """The records as JSON Lines, the vectors as numpy and one query in each form."""
    import numpy as np
    import orjson

    generator = np.random.default_rng(1)
    centres = generator.normal(size=(4000, 48))
    spread = generator.normal(size=(48, dimensions)) / 7
    latent = centres[generator.integers(0, 4000, count)] + 0.4 * generator.normal(size=(count, 48))
    vectors = (latent @ spread + 0.05 * generator.normal(size=(count, dimensions))).astype("f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    words = (generator.zipf(1.3, size=(count, 24)) % 20_000).tolist()
    with (place / "records.jsonl").open("wb") as out:
        for number in range(count):
            record = {
                "id": f"r{number:08d}",
                "content": " ".join(f"w{word}" for word in words[number]),
                "vector": vectors[number],
                "metadata": {key: str(number % share) for key, share in SHARES.items()},
            }
            out.write(orjson.dumps(record, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    query = vectors[7] + 0.02 * generator.normal(size=dimensions).astype("f4")
    np.save(place / "vectors.npy", vectors)
    np.save(place / "query.npy", query)
    (place / "query.raw").write_bytes(query.astype("<f4").tobytes())
    (place / "query.json").write_text(json.dumps([float(number) for number in query]))
    names = {"npy": "vectors.npy", "query": "query.npy", "raw": "query.raw"}
    return {key: str(place / name) for key, name in names.items()} | {"count": str(count)}


def cpu(command: list[str], env: dict[str, str]) -> float:
    """Seconds of CPU that one process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed(command: list[str], env: dict[str, str]) -> float:
    """Seconds on the clock that one process takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    return time.perf_counter() - began


def ours(place: Path) -> tuple[list[str], dict[str, str]]:
    env = {**os.environ, "NEOSIAN_ROOT": str(place / "root"), "NEOSIAN_HOME": str(place / "home")}
    env["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])
    return [sys.executable, "-m", "neosian_cli", "semantic"], env


def searches(place: Path) -> dict[str, list[str]]:
    """One-shot searches of ours, by what they show."""
    vector = ["--vector", f"@{place / 'query.json'}", "--ids-only"]
    found = {"dense": vector, "sparse": ["w3 w500", "--mode", "sparse"], "hybrid": ["w3 w500", "--mode", "hybrid"]}
    found |= {f"dense, {key}": [*vector, "--filter", f"{key}=1"] for key in SHARES}
    return found


def run(count: int, dimensions: int, peers: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        fields = make_data(place, count, dimensions)
        command, env = ours(place)
        subprocess.run(
            [*command, "create", "n", "--provider", "fake", "--dimensions", str(dimensions), "-q"],
            check=True,
            env=env,
            stdout=subprocess.DEVNULL,
        )
        load = [*command, "upsert", "n", "--records", str(place / "records.jsonl"), "--batch", "10000", "--json"]
        seconds = timed(load, env)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"\n## {count:,} x {dimensions}\n\nload {count / seconds:,.0f} records/s, {peak:,.0f} MiB at most")
        rows = {f"neosian search, {what}": [*command, "search", "n", *words] for what, words in searches(place).items()}
        rows["neosian upsert of one"] = [*command, "upsert", "n", "--id", "one", "--vector", f"@{place / 'query.json'}"]
        for name, python in peers.items():
            build, query, change = (code and code.format(**fields, place=place / name) for code in PEERS[name])
            seconds = timed([python, "-c", build], env)
            print(f"{name} load {count / seconds:,.0f} records/s")
            rows[f"{name} search"] = [python, "-c", query]
            if change:
                rows[f"{name} upsert of one"] = [python, "-c", change]
        report(rows, env)


def report(rows: dict[str, list[str]], env: dict[str, str]) -> None:
    rows = {"python -c pass": [sys.executable, "-c", "pass"], **rows}
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(RUNS):
        for name, command in rows.items():
            times[name].append(cpu(command, env))
    bare = median(times["python -c pass"])
    print("\n| whole process | CPU ms | x bare |\n|---|---|---|")
    for name, measured in times.items():
        print(f"| {name} | {median(measured) * 1000:.0f} | {median(measured) / bare:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME[=PYTHON]")
    given = parser.parse_args()
    peers = {name.partition("=")[0]: name.partition("=")[2] or sys.executable for name in given.peer}
    for count in given.sizes:
        run(count, given.dimensions, peers)


if __name__ == "__main__":
    main()
