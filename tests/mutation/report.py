"""What `run.py` breaks in the feature report: what explaining scans rests on, one at a time."""

from mutation import Mutation

FILES = ["FilePushdownSuite"]
SOURCES = ["SourcePushdownSuite"]
QUERIES = ["QueryPushdownSuite"]

MUTATIONS = [
    Mutation(
        "report: ParquetReader: offered is pushed",
        "ParquetReader.scala",
        "else if (takes(filter, switches)) {",
        "else if (switches.inThreshold >= 0) {",
        FILES,
    ),
    Mutation(
        "report: ParquetReader: the schema of the table, not of a file",
        "ParquetReader.scala",
        "private val schema = file.getOrElse(table)",
        "private val schema = table",
        FILES,
    ),
    Mutation(
        "report: ParquetReader: switches of types",
        "ParquetReader.scala",
        "switches.turnedOn.collectFirst",
        "switches.turnedOn.take(0).collectFirst",
        FILES,
    ),
    Mutation(
        "report: ParquetReader: NTZ",
        "ParquetReader.scala",
        "if !t.isAdjustedToUTC =>",
        "if t.isAdjustedToUTC =>",
        FILES,
    ),
    Mutation(
        "report: FileSource: OR over partitions and data",
        "FileSource.scala",
        "form.nonEmpty && isMixed(predicate)",
        "form.nonEmpty && partitionColumns.isEmpty",
        FILES,
    ),
    Mutation(
        "report: FileSource: a bucket of every column",
        "FileSource.scala",
        "case EqualTo(a: Attribute, _: Literal) => bucketColumn.contains(a.name)",
        "case EqualTo(_: Attribute, _: Literal) => bucketColumn.nonEmpty",
        FILES,
    ),
    Mutation(
        "report: FileReader: switched off",
        "FileReader.scala",
        "if (!switch._2) FileReader",
        "if (switch._1.isEmpty) FileReader",
        FILES,
    ),
    Mutation(
        "report: Untranslated: casts before columns",
        "Untranslated.scala",
        "if (comparesColumns(e)) Some",
        "if (casts.isEmpty && comparesColumns(e)) Some",
        FILES,
    ),
    Mutation(
        "report: Untranslated: the whole OR is to blame",
        "Untranslated.scala",
        "predicate.children.find(fails).map(smallest(_)(fails)).getOrElse(predicate)",
        "predicate",
        FILES,
    ),
    Mutation(
        "report: CachedSource: every predicate skips batches",
        "CachedSource.scala",
        "test(0, Iterator.single(new CachedSource.NoValues(columns.size))).isEmpty",
        "test != null",
        SOURCES,
    ),
    Mutation(
        "report: CachedSource: switched off",
        "CachedSource.scala",
        "if (!conf.inMemoryPartitionPruning)",
        "if (conf.inMemoryPartitionPruning && name.isEmpty)",
        SOURCES,
    ),
    Mutation(
        "report: RowSource: what may be used is answered",
        "RowSource.scala",
        "if scan.handledFilters.contains(f) || !alsoBySpark",
        "if scan.filters.contains(f)",
        SOURCES,
    ),
    Mutation(
        "report: TableSource: what is returned is used",
        "TableSource.scala",
        "case Some(f) if taken(f) =>",
        "case Some(f) if taken(f) || returned(f) =>",
        SOURCES,
    ),
    Mutation(
        "report: BeforePushdown: nothing recorded",
        "BeforePushdown.scala",
        "if (seen != null) seen += plan",
        "if (seen != null) seen.size",
        SOURCES,
    ),
    Mutation(
        "report: ExplainScans: copies are scans",
        "ExplainScans.scala",
        "all.indices.filter(i => !all.take(i).exists(key(_) == key(all(i)))).map",
        "all.indices.filter(i => i >= 0 || key(all(i)) == null).map",
        QUERIES,
    ),
    Mutation(
        "report: ExplainScans: an exception fails the report",
        "ExplainScans.scala",
        "case e @ (NonFatal(_) | _: StackOverflowError) =>",
        "case e: StackOverflowError =>",
        QUERIES,
    ),
    Mutation(
        "report: Predicates: NULL checks are shown",
        "Predicates.scala",
        "if !isSaid(column, explained, all) => explained",
        "if column != null && all.nonEmpty => explained",
        FILES,
    ),
    Mutation(
        "report: FilteredScan: Python functions hide the scan",
        "FilteredScan.scala",
        "visit(p.child, above.over(_.transform { case a: Attribute => calls.getOrElse(a, a) }))",
        "visit(p.child, if (calls.isEmpty) above else Above.nothing)",
        QUERIES,
    ),
    Mutation(
        "report: RowsOfRun: rows of another scan",
        "RowsOfRun.scala",
        "(ScanNames(scan.scan), scan.conjuncts.map(PredicateText(_)).sorted)",
        '("", scan.conjuncts.take(0).map(PredicateText(_)))',
        QUERIES,
    ),
    Mutation(
        "report: Runs: a run with Sieve off forgets what was measured",
        "Runs.scala",
        "Option(runs.get(key)).filter(_ => run.entries.isEmpty)",
        "Option(runs.get(key)).filter(_ => run.entries.size < 0)",
        ["MeasuredSuite"],
    ),
    Mutation(
        "report: Runs: a filter is a step like a limit",
        "Runs.scala",
        "case _: UnaryCommand | _: Aggregate | _: Project | _: Sort => query.children.headOption",
        "case _ if query.children.size == 1 => query.children.headOption",
        ["MeasuredSuite"],
    ),
    Mutation(
        "report: Runs: a run of a larger query replaces the query's own",
        "Runs.scala",
        "of(own, whole = true).orElse(of(around, whole = false))",
        "of(around, whole = false).orElse(of(own, whole = true))",
        ["MeasuredSuite"],
    ),
]
