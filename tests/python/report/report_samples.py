# SPDX-License-Identifier: Apache-2.0
"""Reports as Sieve writes them, for tests of their text and HTML without a JVM."""

from __future__ import annotations

from sparksieve import OrderRow, PlanPair, Report, ReportRow, Scan, ScanPredicate

FOLDER = "file:/data/of/the/department"
STATISTICS = "row groups and pages can be skipped by their statistics; Spark evaluates each row."
KEYS = "files and row groups that hold no key can be skipped; Spark evaluates each row."
VALUES = "It tests membership in the values of a file; a source can only be given what it must be."
UNDER_AND = "Under AND, in_file without NOT limits what is read."


def two_predicates() -> Report:
    """A scan of which the source handles one predicate and only Spark the other."""
    taken = ScanPredicate("a > 1", ("pushed", "spark"), None, STATISTICS, None)
    left = ScanPredicate("f(<b>)", ("spark",), "udf", "It calls a function: f.", "Do not.")
    return Report([], [], scans=[Scan("parquet", "db.t", [taken, left], 1000, 10)])


def join() -> Report:
    """A join after its run."""
    rows = [
        ReportRow(
            1,
            "dynamicfilter",
            "InjectDynamicFilter",
            "applied",
            None,
            "INNER JOIN (id, a, name, id, dept, city) from parquet people, parquet places",
            "id IN keys of id (broadcast)",
        ),
        ReportRow(
            2,
            "dynamicfilter",
            "DynamicFilter",
            "measured",
            None,
            "id IN keys of id",
            "20 keys (216.0 B) collected in 26 ms from a broadcast; 20 of 20,000 rows kept",
        ),
        ReportRow(
            3,
            "dynamicfilter",
            "DynamicScan",
            "measured",
            None,
            f"id of {FOLDER}/people",
            "0 of 8 files skipped; row groups pruned by 20 ranges of keys",
        ),
    ]
    given = ScanPredicate("id IS NOT NULL", ("pushed", "spark"), None, STATISTICS, None)
    keys = ScanPredicate("id IN (keys of id)", ("skipped", "spark"), None, KEYS, None)
    dept = ScanPredicate("dept = 'admin'", ("pushed", "spark"), None, STATISTICS, None)
    scans = [
        Scan("parquet", f"{FOLDER}/people", [given, keys], 20_000, 20),
        Scan("parquet", f"{FOLDER}/places", [dept, given], 2_000, 20),
    ]
    before = (
        "Project [id#7L]\n+- Join Inner\n   :- Filter isnotnull(id#7L)\n   +- Relation places\n"
    )
    after = (
        "Project [id#9L]\n+- Join Inner\n   :- DynamicFilter id#9L IN keys of id\n"
        "   :  +- Filter isnotnull(id#9L)\n   +- Relation places\n"
    )
    plans = [PlanPair("optimized", before, after), PlanPair("physical", "x", "x")]
    return Report(rows, plans, scans=scans)


def files() -> Report:
    """A tree of predicates by files after its run, in an adaptive filter."""
    sold = f"in_file(id, '{FOLDER}/sold.csv' [_c0])"
    town = f"in_file(town, '{FOLDER}/towns.csv' [_c0])"
    loaded = "16 values (bitset, 6.2 KiB) of 16 rows in 675 ms; 0 NULLs"
    nulls = "10 values (bytes, 296.0 B) of 12 rows in 418 ms; 2 NULLs"
    place = f"Filter over {FOLDER}/cars"
    tree = (
        "as given to the optimizer: not C and D, 2 points; as it runs: not C and D, 2 points; "
        f"where C = id in {FOLDER}/sold.csv[_c0] ({loaded}); "
        f"D = town in {FOLDER}/towns.csv[_c0] ({nulls})"
    )
    figures = [
        "9 rows kept; evaluated in the order 2, 1; 1 new order on 1 executor",
        f"1. {town}: 16.4 % pass, 3016 ns each",
        f"2. (NOT {sold}): 100.0 % pass, 1054 ns each",
        f"({sold} OR {town}) evaluates part 1: 60.3 % true, 246 ns each",
    ]
    rows = [
        ReportRow(
            1, "bulkfilter", "ArrangeBulkFilters", "applied", None, "Filter over Relation", tree
        ),
        ReportRow(
            2,
            "adaptivefilter",
            "PlanAdaptiveFilter",
            "applied",
            None,
            place,
            f"(NOT {sold}); {town} (may fail: keeps after those before it)",
        ),
        *(
            ReportRow(3 + n, "adaptivefilter", "AdaptiveFilter", "measured", None, place, detail)
            for n, detail in enumerate(figures)
        ),
        ReportRow(7, "bulkfilter", "LoadKeys", "measured", None, f"{FOLDER}/sold.csv[_c0]", loaded),
        ReportRow(8, "bulkfilter", "LoadKeys", "measured", None, f"{FOLDER}/towns.csv[_c0]", nulls),
    ]
    predicates = [
        ScanPredicate(f"NOT {sold}", ("spark",), "values-of-files", VALUES, UNDER_AND),
        ScanPredicate(town, ("skipped", "spark"), None, KEYS, None),
        ScanPredicate(f"f(x) OR {sold}", ("spark",), "values-of-files", VALUES, UNDER_AND),
    ]
    orders = [OrderRow(place, "driver", 61, town, 2, 1, 0.164, None)]
    return Report(rows, [], orders, [Scan("parquet", f"{FOLDER}/cars", predicates, 100, 9)])
