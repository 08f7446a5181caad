# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in what becomes of an EXCEPT that Sieve does not replace by a filter."""

from mutation import Mutation

MUTATIONS = [
    Mutation(
        "setop: an EXCEPT that refers to an outer query is lowered",
        "LowerUnsafeExcept.scala",
        "!e.isStreaming && !isCorrelated(e) && !ctx.random",
        "!e.isStreaming && !ctx.random",
        ["LowerUnsafeExceptSuite"],
    ),
    Mutation(
        "setop: what may fail is lowered behind a guard",
        "LowerUnsafeExcept.scala",
        "&& ctx.query.fallible.findFor(e.right).isEmpty",
        "",
        ["FallibleSidesSuite"],
    ),
    Mutation(
        "setop: sources that lose rows are lowered",
        "LowerUnsafeExcept.scala",
        "sources(conditions.map(pushable)) &&",
        "",
        ["LowerUnsafeExceptSuite", "LossyPushdownSuite"],
    ),
    Mutation(
        "setop: a side that becomes a filter lets Spark's rule act",
        "RewriteSetOperations.scala",
        "else if (maybe) LowerUnsafeExcept",
        "else if (false) LowerUnsafeExcept",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: what Spark removes before its rule is taken for what remains",
        "SparksExcept.scala",
        "if (isSimple(inlined)) isReplaced",
        "if (true) isReplaced",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: expressions that Spark evaluates before its rule are compared as written",
        "SparksExcept.scala",
        "case leaf => leaf.children.isEmpty",
        "case _ => false",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: sides that Spark replaces by a filter are rewritten",
        "RewriteSetOperations.scala",
        "if (SparksExcept.mayFilter(e, ctx)) None",
        "if (SparksExcept.mayFilter(e, ctx)) Some(still)",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: definitions that Spark replaces by a filter are rewritten",
        "RewriteSetOperations.scala",
        "case d: CTERelationDef => ctx.untouched(d.id)",
        "case _: CTERelationDef => false",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: a cached query is found by its rewritten form",
        "Rewritten.scala",
        "original.canonicalized",
        "child.canonicalized",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: what a cached query reads is searched in its rewritten form",
        "Rewritten.scala",
        "f(this) || original.exists(f)",
        "f(this) || child.exists(f)",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: a rewritten form that is in the cache by chance is read",
        "RewriteSetOperations.scala",
        "readFromCache(form, ctx) == readFromCache(plan, ctx)",
        "true",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: a lowered EXCEPT is found by its form",
        "RewriteSetOperations.scala",
        "LowerUnsafeExcept.asWithoutRewrites(still).map(Rewritten(_, still))",
        "LowerUnsafeExcept.asWithoutRewrites(still)",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: definitions that are read below rand() are rewritten",
        "RewriteSetOperations.scala",
        "val below = matters || RowOrder.matters(plan)",
        "val below = matters",
        ["SidesOfExceptSuite"],
    ),
]
