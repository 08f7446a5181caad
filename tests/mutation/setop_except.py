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
        "case still: Except if SparksExcept.isFiltered(still, rewriting(defined, ctx)) =>",
        "case still: Except if false =>",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: a definition that becomes a filter lets Spark's rule act",
        "RewriteSetOperations.scala",
        "SparksExcept.isFiltered(still, rewriting(defined, ctx))",
        "SparksExcept.isFiltered(still, ctx)",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: sides that Spark replaces by a filter are rewritten",
        "RewriteSetOperations.scala",
        "if (tried.isInstanceOf[Except] && !isCached(tried, ctx)) alone(e, ctx)",
        "if (false) alone(e, ctx)",
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
        "setop: sides that Sieve replaces by a filter are left alone",
        "RewriteSetOperations.scala",
        "if (tried.isInstanceOf[Except] && ",
        "if (",
        ["SidesOfExceptSuite"],
    ),
    Mutation(
        "setop: a cached side of an EXCEPT is not looked up",
        "RewriteSetOperations.scala",
        " && !isCached(tried, ctx)) alone",
        ") alone",
        ["SidesOfExceptSuite"],
    ),
]
