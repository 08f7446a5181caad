"""What `run.py` breaks in the room bulkfilter: its guards, one at a time."""

from mutation import Mutation

MUTATIONS = [
    Mutation(
        "bulkfilter: MergeLeaves: keys of several columns that may be NULL",
        "io/sparksieve/bulkfilter/MergeLeaves.scala",
        "(leaf.keys.size == 1 || !leaf.nullable) &&",
        "",
        ["MergeLeavesSuite"],
    ),
    Mutation(
        "bulkfilter: MergeLeaves: a contradiction forgets NULL",
        "io/sparksieve/bulkfilter/MergeLeaves.scala",
        "if (keys.exists(_.nullable))",
        "if (keys.isEmpty)",
        ["MergeLeavesSuite"],
    ),
    Mutation(
        "bulkfilter: MergeLeaves: any key is the same",
        "io/sparksieve/bulkfilter/MergeLeaves.scala",
        "a.size == b.size && a.zip(b).forall { case (x, y) => x.semanticEquals(y) }",
        "a.size == b.size",
        ["MergeLeavesSuite"],
    ),
    Mutation(
        "bulkfilter: Arrange: keys that may fail move",
        "io/sparksieve/bulkfilter/Arrange.scala",
        "Points.isTree(e) && e.deterministic && Infallible(e)",
        "Points.isTree(e) && e.deterministic",
        ["MergeLeavesSuite"],
    ),
    Mutation(
        "bulkfilter: InFile: evaluated before its files are known",
        "io/sparksieve/bulkfilter/InFile.scala",
        "if (isPinned) keys else keys :+ NotPinned",
        "keys",
        ["LargeKeysSuite"],
    ),
    Mutation(
        "bulkfilter: KeyEntry: a changed file is not seen",
        "io/sparksieve/bulkfilter/KeyEntry.scala",
        "case e: KeyEntry => stamp == e.stamp && source == e.source",
        "case e: KeyEntry => source == e.source",
        ["BulkFilterRunSuite"],
    ),
    Mutation(
        "bulkfilter: KeyStore: nothing is let go",
        "io/sparksieve/bulkfilter/KeyStore.scala",
        "while (total > caps.cacheBytes && eldest.hasNext)",
        "while (false && eldest.hasNext)",
        ["BulkFilterRunSuite"],
    ),
    Mutation(
        "bulkfilter: JoinLargeKeys: NOT IN of rows is an anti-join",
        "io/sparksieve/bulkfilter/JoinLargeKeys.scala",
        "isLarge(leaf) && (leaf.keys.size == 1 || !leaf.nullable) =>",
        "isLarge(leaf) =>",
        ["LargeKeysSuite"],
    ),
    Mutation(
        "bulkfilter: JoinLargeKeys: NULL keys are in no file",
        "io/sparksieve/bulkfilter/LargeValues.scala",
        "if (leaf.nullable) If(IsNull(leaf.keys.head), Unknown, found) else found",
        "found",
        ["LargeKeysSuite"],
    ),
    Mutation(
        "bulkfilter: JoinLargeKeys: NULL keys pass NOT",
        "io/sparksieve/bulkfilter/JoinLargeKeys.scala",
        "leaf.keys.filter(_.nullable) }",
        "Nil }",
        ["LargeKeysSuite"],
    ),
    Mutation(
        "bulkfilter: LargeKeys: the sum of a query is not looked at",
        "io/sparksieve/bulkfilter/LargeKeys.scala",
        "if sum > caps.queryBytes => f",
        "if sum < 0 => f",
        ["LargeKeysSuite"],
    ),
    Mutation(
        "bulkfilter: KeyCast: what a cast loses is not noticed",
        "io/sparksieve/bulkfilter/KeyCast.scala",
        "backCheck(raw, made, column).fold(made)",
        "None.fold[Expression](made)",
        ["KeyTypesOfFilesSuite", "KeyErrorsSuite"],
    ),
    Mutation(
        "bulkfilter: KeyProbes: a NULL among several columns is unknown",
        "io/sparksieve/bulkfilter/KeyProbes.scala",
        "if (PartialKeys.of(rows, types).contains(key)) -1 else 0",
        "-1",
        ["KeyTypesOfFilesSuite"],
    ),
    Mutation(
        "bulkfilter: costModel points: adaptive filters reorder",
        "io/sparksieve/adaptivefilter/PlanAdaptiveFilter.scala",
        "else if (BulkFilters.keepsPoints(condition, SparkCompat.conf(session)))",
        "else if (false)",
        ["BulkFilterRunSuite"],
    ),
]
