"""Reads, filters, joins, sorts and aggregates every table of results folders with several libraries, and compares the results.

    tables.py --with pyarrow,pandas,polars,duckdb FOLDER...
"""

import argparse
import io
import pathlib
import sys

# Signed numbers, plain strings and Booleans, which every tool can compute with.
TYPES = {"int32", "int64", "double", "string", "bool"}
METADATA = ("study", "pack", "seed", "method", "sides", "units", "vary", "format", "tool")


def tables(folder):
    """The tables of a folder: a file, or a folder of parts."""
    found = sorted(path for path in (folder / "data").iterdir())
    assert {"cells.parquet", "summary.parquet"} <= {path.name for path in found}, found
    return found


# For every column, each of these finds the smallest value (by sorting) and counts the rows that have it (by filtering). It also counts the
# rows of each cell, by joining the table with the table of cells.


def with_pyarrow(path, cells):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    assert set(types.values()) <= TYPES, (path, types)
    metadata = table.schema.metadata or {}
    missing = [key for key in METADATA if f"grognard.{key}".encode() not in metadata]
    assert not missing, (path, missing)
    for part in [path] if path.is_file() else sorted(path.glob("*.parquet")):
        has_dictionaries(part, types)
    least = {}
    for name, type in types.items():
        column = table[name]
        first = table.take(pc.sort_indices(table, [(name, "ascending")]))[name][0].as_py()
        if first is None:
            assert column.null_count == table.num_rows, (path, name)
            continue
        # No column uses an empty string for a missing value.
        assert first != "", (path, name)
        least[name] = first, table.filter(pc.equal(column, first)).num_rows
        if type == "string":
            grouped = table.group_by(name).aggregate([("cell", "count")])
            assert sum(grouped["cell_count"].to_pylist()) == table.num_rows
    out = io.BytesIO()
    pa.csv.write_csv(table.slice(0, 1000), out)
    assert out.getvalue().startswith(b'"cell"')
    labels = pq.read_table(cells).select(["cell", "label"]).rename_columns(["cell", "cell_label"])
    joined = table.join(labels, keys="cell", join_type="inner")
    counts = joined.group_by("cell_label").aggregate([("cell", "count")])
    return dict(zip(counts["cell_label"].to_pylist(), counts["cell_count"].to_pylist())), table.num_rows, least


def has_dictionaries(part, types):
    """Checks that texts are stored with a dictionary, except for fractions and exact sums, which may all differ."""
    import pyarrow.parquet as pq

    metadata = pq.ParquetFile(part).metadata
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            if types[column.path_in_schema] == "string" and column.path_in_schema not in ("fraction", "exact"):
                assert "RLE_DICTIONARY" in column.encodings, (part, column.path_in_schema, column.encodings)


def with_pandas(path, cells):
    import pandas as pd

    frame = pd.read_parquet(path)
    labels = pd.read_parquet(cells)[["cell", "label"]].rename(columns={"label": "cell_label"})
    least = {}
    for name in frame.columns:
        first = frame.sort_values(name)[name].iloc[0]
        if not pd.isna(first):
            least[name] = first, len(frame[frame[name] == first])
    joined = frame.merge(labels, on="cell")
    if "attacker_losses" in frame:
        assert (frame["attacker_losses"] - frame["defender_losses"]).min() < 0, "losses do not wrap"
    return joined.groupby("cell_label").size().to_dict(), len(frame), least


def with_polars(path, cells):
    import polars as pl

    frame = pl.read_parquet(path)
    labels = pl.read_parquet(cells).select("cell", cell_label="label")
    least = {}
    for name in frame.columns:
        first = frame.sort(name, nulls_last=True)[name][0]
        if first is not None:
            least[name] = first, frame.filter(pl.col(name) == first).height
    counts = frame.join(labels, on="cell").group_by("cell_label").len()
    return dict(counts.iter_rows()), frame.height, least


def with_duckdb(path, cells):
    import duckdb

    source = f"'{path}'" if path.is_file() else f"'{path}/*.parquet'"
    least = {}
    # Names need no quotes.
    for name in [row[0] for row in duckdb.sql(f"describe from {source}").fetchall()]:
        ((first,),) = duckdb.sql(f"select t.{name} from {source} t order by t.{name} nulls last limit 1").fetchall()
        if first is not None:
            count = duckdb.sql(f"select count(*) from {source} t where t.{name} = $1", params=[first])
            least[name] = first, count.fetchall()[0][0]
    ((rows,),) = duckdb.sql(f"select count(*) from {source}").fetchall()
    counts = duckdb.sql(f"select c.label, count(*) from {source} t join '{cells}' c on t.cell = c.cell group by 1").fetchall()
    return dict(counts), rows, least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="libraries", required=True)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    libraries = arguments.libraries.split(",")
    number = 0
    for folder in arguments.folders:
        cells = folder / "data/cells.parquet"
        for path in tables(folder):
            found = {library: globals()[f"with_{library}"](path, cells) for library in libraries}
            first = next(iter(found.values()))
            counts, rows, least = first
            assert rows and sum(counts.values()) == rows and "cell" in least, path
            for library, others in found.items():
                assert others == first, (path, library, others, first)
            number += 1
    assert number >= 5 * len(arguments.folders), f"only {number} tables were found"
    versions = ", ".join(f"{library} {__import__(library).__version__}" for library in libraries)
    print(f"{number} tables read, filtered, joined, sorted and counted, with the same results in {versions}")


if __name__ == "__main__":
    sys.exit(main())
