"""The port that every backend of semantic records joins the suite by, and the one on files.

Times are instants. `clock` may be set by the test; nothing moves it but the test.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from neosian_cli.config.namespace import Caps
from neosian_cli.disk.calls import REAL
from neosian_cli.model import numbers, predicate, times
from neosian_cli.model.query import Selection, make_query
from neosian_cli.model.record import draft_of
from neosian_cli.services.semantic import ending, namespaces, reading, search, upkeep, upsert
from neosian_cli.services.semantic.access import Access
from neosian_cli.store.root import Store

START = times.parse("2026-01-02T03:04:05Z")
DAY = times.DAY


@dataclass
class PlainSettings:
    """As much of the settings as the services ask for."""

    caps: Caps = field(default_factory=Caps)
    namespaces: tuple = ()
    config_file: str = "config.yaml"

    def namespace(self, name):
        return next((known for known in self.namespaces if known.name == name), None)


class FilesBackend:
    def __init__(self, root, *, dimensions=3, text_search="simple", name="notes", calls=REAL, settings=None):
        self.root = str(root)
        self.name = name
        self.dimensions = dimensions
        self.clock = START
        self.made = 0
        self.settings = settings or PlainSettings()
        self.store = Store(self.root, now=lambda: self.clock, new_id=self._new_id, lock_timeout=5.0, calls=calls)
        if settings is None:
            wish = namespaces.Wish("fake", None, dimensions, text_search)
            namespaces.create(self.store, self.settings, name, wish, options={})

    def _new_id(self):
        self.made += 1
        return f"{self.made:08x}-0000-4000-8000-{id(self) & 0xFFFFFFFFFFFF:012x}"

    @property
    def access(self):
        return Access(
            self.store,
            self.settings,
            self.name,
            environment={},
            sleep=lambda _: None,
            monotonic=lambda: 0.0,
        )

    def upsert(self, records, batch=None):
        """Records as JSON gives them, times as instants."""
        spelled = [
            {
                key: times.spell(value) if key.endswith(("_at", "_from", "_to")) and value is not None else value
                for key, value in record.items()
            }
            for record in records
        ]
        dimensions = upsert.dimensions_of(self.access)
        drafts = [draft_of(record, dimensions, f"record {index}") for index, record in enumerate(spelled)]
        return upsert.upsert(self.access, drafts, batch=batch)

    def search(
        self, text=None, *, vector=None, mode="dense", top_k=10, depth=0, exact=False, options=None, **selection
    ):
        caps = self.settings.caps
        query = make_query(
            mode=mode,
            text=text,
            vector=None if vector is None else numbers.pack(vector),
            selection=self.selection(**selection),
            top_k=top_k,
            rerank_candidate_k=depth,
            top_k_cap=caps.top_k,
            candidates_cap=caps.rerank_candidate_k,
            exact=exact,
        )
        return search.search(self.access, query, **(options or {}))

    @staticmethod
    def selection(where=(), **selection):
        parsed = tuple(item if isinstance(item, predicate.Predicate) else predicate.parse_where(item) for item in where)
        return Selection(parsed, **selection)

    def get(self, *ids, **options):
        return reading.get(self.access, ids, **options)["records"]

    def list(self, *, limit=500, cursor=None, **selection):
        return reading.list_records(self.access, self.selection(**selection), limit=limit, cursor=cursor)

    def history(self, name):
        return reading.history(self.access, name)["entries"]

    def delete(self, *ids, hard=False, if_version=None):
        return ending.delete(self.access, ids, hard=hard, if_version=if_version)["existed"]

    def expire(self, action, most, *, where=(), dry_run=False):
        selection = self.selection(where, include_invalidated=True)
        return ending.expire(self.access, selection, action=action, max_rows=most, dry_run=dry_run)

    def compact(self, before=None, *, write=True):
        return upkeep.compact(self.access, before, write=write)

    def stats(self):
        return upkeep.stats(self.access)

    def lose_derived(self):
        shutil.rmtree(Path(self.root) / "semantic" / self.name / "derived", ignore_errors=True)
