"""The verbs of `semantic`, as data."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Flag, Option, Verb, paging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAMESPACE = Argument("NS", "the namespace", complete="namespace")
FILTERS = (
    Option("--filter", metavar="K=V", repeat=True, help="only records whose metadata K is V"),
    Option(
        "--where",
        metavar="'KEY OP VALUE'",
        repeat=True,
        help="only records whose metadata KEY compares so: = != in compare texts, > >= < <= exact decimals",
    ),
)
INCLUDES = (
    Flag("--include-payload", help="with the payload, in base64"),
    Flag("--include-vector", help="with the vector"),
)
RUN = "neosian_cli.commands.semantic_records:"
KEEP = "neosian_cli.commands.semantic_upkeep:"
SCHEMA = "neosian_cli.services.semantic.schema:"


OF_ONE_RECORD = (
    "id",
    "content",
    "vector",
    "payload",
    "metadata",
    "valid_from",
    "valid_to",
    "deleted_at",
    "created_at",
    "supersedes",
    "source",
    "if_version",
)


def _writes(values: Mapping[str, object]) -> bool:
    return not values["dry_run"]


VERBS = (
    Verb(
        "semantic",
        "create",
        "make a namespace and bind it to an embedder",
        run=KEEP + "create",
        result=SCHEMA + "CREATED",
        params=(
            NAMESPACE,
            Option("--provider", choices=("fake", "local", "ollama", "openai"), help="who turns text into vectors"),
            Option("--model", metavar="NAME", help="the provider's model"),
            Option("--dimensions", kind="int", low=1, high=65_536, help="length of the vectors"),
            Option("--text-search", metavar="LANGUAGE", help="language of the words: simple, english, german, …"),
            Option(
                "--option",
                metavar="K=V",
                repeat=True,
                help="how the provider is reached: api_key_env, base_url, timeout, batch_size, send_dimensions",
            ),
        ),
        mutates=True,
        description="The binding is for good; the same again changes nothing. Without --provider it is local where "
        "neosian-cli[local] is installed, else fake, whose vectors have no meaning.",
        examples=("neosian semantic create notes", "neosian semantic create notes --provider openai"),
        exits=(4,),
    ),
    Verb(
        "semantic",
        "namespaces",
        "every namespace with its binding and counts",
        run=KEEP + "namespaces",
        result=SCHEMA + "NAMESPACES",
        params=(),
        jsonl=True,
        examples=("neosian semantic namespaces --json",),
    ),
    Verb(
        "semantic",
        "upsert",
        "store a record, or many",
        run=RUN + "upsert",
        result=SCHEMA + "UPSERTED",
        params=(
            NAMESPACE,
            Option("--id", help="the record's id; a new UUID without it"),
            Option("--content", kind="text", help="the text, embedded without a vector"),
            Option("--vector", kind="text", metavar="JSON", help="a JSON array of numbers"),
            Option("--payload", kind="bytes", help="bytes that are kept with it"),
            Option("--metadata", metavar="K=V", repeat=True, help="a text under a key"),
            Option("--valid-from", metavar="TIME", help="since when it is true; now without it"),
            Option("--valid-to", metavar="TIME", help="until when, exclusive"),
            Option("--deleted-at", metavar="TIME", help="store it as a tombstone"),
            Option("--created-at", metavar="TIME", help="when it was made; kept from the first time without it"),
            Option("--supersedes", metavar="ID", repeat=True, help="end this record's validity"),
            Option("--source", help="where it comes from; stored as given"),
            Option("--if-version", kind="int", low=0, help="only if the record is at this version; 0: not there"),
            Option("--records", kind="source", help="many records: JSON Lines or a JSON array"),
            Option("--batch", kind="int", low=1, help="cut --records into transactions of N"),
        ),
        mutates=True,
        exclusive=tuple(("records", key) for key in OF_ONE_RECORD),
        description="All records of one transaction are stored, or none. A record replaces the one of the same id "
        "whole. The output of list --jsonl can be piped into --records -. A load of many ends by making the vector "
        "index anew where it is time for that; what was stored stays so, whatever becomes of the index.",
        examples=(
            "neosian semantic upsert notes --id a --content 'apple pie recipe' --metadata topic=food",
            "neosian semantic upsert notes --records notes.jsonl --batch 1000",
        ),
        exits=(4, 5, 8),
    ),
    Verb(
        "semantic",
        "search",
        "the records that are nearest in meaning or words",
        run=RUN + "search",
        result=SCHEMA + "HITS",
        params=(
            NAMESPACE,
            Argument("QUERY", "what to look for", required=False, kind="text"),
            Option("--vector", kind="text", metavar="JSON", help="look for a vector instead of a text"),
            Option("--top-k", kind="int", low=0, default=10, help="how many hits"),
            *FILTERS,
            Option("--as-of", metavar="TIME", help="what was valid then"),
            Option("--known-at", metavar="TIME", help="what was known then"),
            Flag("--include-invalidated", help="also what is not live: tombstones, ended and future records"),
            Option("--created-after", metavar="TIME", help="created later than this"),
            Option("--created-before", metavar="TIME", help="created earlier than this"),
            Option(
                "--mode",
                metavar="dense|sparse|hybrid",
                complete="dense|sparse|hybrid",
                default="dense",
                help="by meaning, by words, or both",
            ),
            Option("--rerank-candidate-k", kind="int", low=0, default=50, help="candidates of each lane"),
            Flag("--ids-only", help="id and score alone"),
            *INCLUDES,
            Flag("--exact", help="scan every vector, whatever index there is"),
            Flag("--explain", help="say how the hits were found"),
        ),
        jsonl=True,
        examples=(
            "neosian semantic search notes 'baking with fruit' --top-k 3",
            "neosian semantic search notes 'data race' --mode hybrid --where 'priority >= 2'",
        ),
        exits=(5, 8),
    ),
    Verb(
        "semantic",
        "get",
        "records by id, live or not",
        run=RUN + "get",
        result=SCHEMA + "GOT",
        params=(NAMESPACE, Argument("ID", "a record", repeat=True), *INCLUDES),
        jsonl=True,
        examples=("neosian semantic get notes a b --json",),
        exits=(5,),
    ),
    Verb(
        "semantic",
        "list",
        "records by creation",
        run=RUN + "list_records",
        result=SCHEMA + "LISTED",
        params=(
            NAMESPACE,
            *FILTERS,
            Flag("--include-invalidated", help="also what is not live: tombstones, ended and future records"),
            *INCLUDES,
            *paging(),
        ),
        jsonl=True,
        examples=("neosian semantic list notes --filter topic=food --jsonl",),
    ),
    Verb(
        "semantic",
        "delete",
        "tombstones for records, or their removal",
        run=RUN + "delete",
        result=SCHEMA + "DELETED_ONES",
        params=(
            NAMESPACE,
            Argument("ID", "a record", repeat=True),
            Flag("--hard", help="remove them for good, with everything they said"),
            Option("--if-version", kind="int", low=0, help="only if the one record is at this version"),
        ),
        mutates=True,
        examples=("neosian semantic delete notes a", "neosian semantic delete notes a --hard"),
        exits=(4,),
    ),
    Verb(
        "semantic",
        "expire",
        "end, hide or remove all records that match",
        run=RUN + "expire",
        result=SCHEMA + "EXPIRED",
        params=(
            NAMESPACE,
            *FILTERS,
            Option(
                "--action",
                metavar="invalidate|soft-delete|hard-delete",
                complete="invalidate|soft-delete|hard-delete",
                required=True,
                help="what to do with them",
            ),
            Option("--max-rows", kind="int", low=1, required=True, help="how many at most; the oldest first"),
            Flag("--dry-run", help="only count them"),
        ),
        mutates=_writes,
        description="Acts at once, in one transaction. Without a filter it means all records.",
        examples=("neosian semantic expire notes --filter topic=food --action soft-delete --max-rows 100",),
    ),
    Verb(
        "semantic",
        "history",
        "every version of a record and every change to it",
        run=RUN + "history",
        result=SCHEMA + "HISTORY",
        params=(NAMESPACE, Argument("ID", "a record")),
        jsonl=True,
        examples=("neosian semantic history notes a",),
        exits=(5,),
    ),
    Verb(
        "semantic",
        "stats",
        "what a namespace holds and takes",
        run=KEEP + "stats",
        result=SCHEMA + "STATS",
        params=(NAMESPACE,),
        examples=("neosian semantic stats notes --json",),
    ),
    Verb(
        "semantic",
        "compact",
        "drop what nothing can read any more",
        run=KEEP + "compact",
        result=SCHEMA + "COMPACTED",
        params=(
            NAMESPACE,
            Option("--history-before", metavar="TIME", help="also drop what was replaced by then"),
        ),
        preview=True,
        description="Ends by making the vector index anew where the namespace is large enough for one.",
        examples=("neosian semantic compact notes --history-before 2026-01-01T00:00:00Z --write",),
    ),
    Verb(
        "semantic",
        "reindex",
        "build the derived files anew from the records",
        run=KEEP + "reindex",
        result=SCHEMA + "REINDEXED",
        params=(NAMESPACE, Flag("--index", help="build the vector index too, however few vectors there are")),
        mutates=True,
        examples=("neosian semantic reindex notes",),
    ),
    Verb(
        "semantic",
        "drop",
        "remove a namespace with everything in it",
        run=KEEP + "drop",
        result=SCHEMA + "DROPPED",
        params=(NAMESPACE,),
        preview=True,
        examples=("neosian semantic drop notes --write",),
        exits=(5,),
    ),
)
