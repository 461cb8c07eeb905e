"""What other stores of vectors do for the same job, each a program of its own: load, one search, one record more.

A peer runs with the Python of its own environment, `$NEOSIAN_BENCH_PEERS/NAME/bin/python`; hnswlib is a dependency of
ours and runs with this one. Names in braces are filled in by `semantic`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

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
            "import apsw,sqlite_vec;d=open('{raws}','rb').read();n={count};w=len(d)//n;c=apsw.Connection('{place}');"
            "c.enable_load_extension(True);c.load_extension(sqlite_vec.loadable_path());"
            "c.execute('create virtual table t using vec0(e float[%d] distance_metric=cosine,half text)'%(w//4));"
            "c.execute('begin');c.executemany('insert into t(rowid,e,half) values(?,?,?)',"
            "((i,d[i*w:i*w+w],str(i%2)) for i in range(n)));c.execute('commit')"
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
            "t=c.create_collection('vectors',metadata={{'hnsw:space':'cosine'}});\n"
            "for s in range(0,len(v),5000):\n"
            " m=range(s,min(s+5000,len(v)));t.add(ids=[str(n) for n in m],embeddings=v[s:s+5000],"
            "metadatas=[{{'half':str(n%2)}} for n in m])"
        ),
        (
            "import chromadb,numpy as np;q=np.load('{query}');"
            "chromadb.PersistentClient('{place}').get_collection('vectors').query(query_embeddings=[q],n_results=10)"
        ),
        (
            "import chromadb,numpy as np;q=np.load('{query}');"
            "chromadb.PersistentClient('{place}').get_collection('vectors').upsert("
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


def interpreters() -> dict[str, str]:
    """The Python of each peer that is there."""
    found = {"hnswlib": sys.executable}
    directory = os.environ.get("NEOSIAN_BENCH_PEERS")
    for name in PEERS if directory else ():
        python = Path(directory or "") / name / "bin" / "python"
        if python.exists():
            found[name] = str(python)
    return found
