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
        "case other => CannotFail(other)",
        "case _ => true",
        ["LowerUnsafeExceptSuite"],
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
        "case d: CTERelationDef if ctx.untouched(d.id) =>",
        "case d: CTERelationDef if false && ctx.untouched(d.id) =>",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: a cached side of an EXCEPT is not looked up",
        "RewriteSetOperations.scala",
        "alone(e.mapChildren(unlessCached(_, ctx)), ctx)",
        "alone(e, ctx)",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: what is cached in a definition that is left alone is not looked up",
        "RewriteSetOperations.scala",
        "=> d.mapChildren(unlessCached(_, ctx))",
        "=> d",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: what is cached in a subquery of what is left alone is not looked up",
        "RewriteSetOperations.scala",
        "mapSubqueries(plan.mapChildren(unlessCached(_, ctx)))(unlessCached(_, ctx))",
        "plan.mapChildren(unlessCached(_, ctx))",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: a cached query with definitions is not found below a row id",
        "RewriteSetOperations.scala",
        "{ apart =>\n        Report.discarding(rewritten(plan, leaving(plan, apart)))",
        "{ _ =>\n        Report.discarding(rewritten(plan, ctx.apart))",
        ["CachedRewritesSuite"],
    ),
    Mutation(
        "setop: a part of a cached nest of unions is looked up first",
        "RewriteSetOperations.scala",
        "else cachedNest(plan, ctx).getOrElse(rewritten(plan, ctx))",
        "else rewritten(plan, ctx)",
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
