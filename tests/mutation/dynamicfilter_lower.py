# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in the feature dynamicfilter: keys of lower joins, and keys not collected."""

from mutation import Mutation

LOWER = ["LowerJoinsSuite"]
WORTH = ["WorthCollectingSuite"]

MUTATIONS = [
    Mutation(
        "dynamicfilter: LowerJoins: keys of a join that keeps rows without a partner",
        "LowerJoins.scala",
        "      case _: InnerLike | LeftSemi => true\n      case _ => false",
        "      case _: InnerLike | LeftSemi => true\n      case _ => true",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: LowerJoins: the right side of a semi-join",
        "LowerJoins.scala",
        "      case _: InnerLike | LeftSemi => true\n",
        "      case _: InnerLike => true\n",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: LowerJoins: another key of the lower join",
        "LowerJoins.scala",
        "if pair.exists(p => keys.exists(EqualKeys.areSame(p, _)))",
        "if pair.exists(p => keys.nonEmpty)",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: LowerJoins: a key that is cast",
        "LowerJoins.scala",
        "keys.flatMap(KeyForm.below(_, list)).collect { case a: Attribute => a }",
        "keys.flatMap(KeyForm.below(_, list)).flatMap(KeyForm.column(_))",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: EqualKeys: what the join compares with the key",
        "EqualKeys.scala",
        "keys ++ compared(join, keys)",
        "keys",
        ["LowerJoinsSuite", "KeyTraceSuite"],
    ),
    Mutation(
        "dynamicfilter: EqualKeys: normalized floats",
        "EqualKeys.scala",
        "KeyForm.stripped(one).semanticEquals(KeyForm.stripped(other))",
        "one.semanticEquals(other)",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: Injection: lower keys that are others when they are read again",
        "Injection.scala",
        ".toOption.filter(_.pinned)",
        ".toOption",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: Injection: lower keys are there already",
        "Injection.scala",
        "        case Left(Refusal.AlreadyThere) => Left(None)\n      }\n",
        "      }\n",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: Injection: the lower join is walked last",
        "Injection.scala",
        "found <- side.in(build)",
        "found <- side.in(direction.build)",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: Injection: row ids beside the join",
        "Injection.scala",
        "    if (conf.adaptiveExecutionEnabled)\n      SeesPartitions",
        "    if (false && conf.adaptiveExecutionEnabled)\n      SeesPartitions",
        ["SeesPartitionsSuite"],
    ),
    Mutation(
        "dynamicfilter: FilterByKeys: only keys of a shuffle are used before a shuffle",
        "FilterByKeys.scala",
        "val shuffles = BroadcastJoin.side(join, conf).isEmpty",
        "val shuffles = keys.source.kind == FilterProvenance.Shuffle",
        LOWER,
    ),
    Mutation(
        "dynamicfilter: Placement: keys of shuffles first",
        "Placement.scala",
        "        if learnedFrom.kind == FilterProvenance.Broadcast &&",
        "        if false && learnedFrom.kind == FilterProvenance.Broadcast &&",
        WORTH,
    ),
    Mutation(
        "dynamicfilter: WorthCollecting: all keys are collected",
        "WorthCollecting.scala",
        "|| share >= filter.learnedFrom.leastShare",
        "|| share >= 0",
        WORTH,
    ),
    Mutation(
        "dynamicfilter: WorthCollecting: rows without a partner count as dropped",
        "WorthCollecting.scala",
        "      case _ => share\n",
        "      case _ => share * keptBy(side)\n",
        WORTH,
    ),
    Mutation(
        "dynamicfilter: WorthCollecting: keys that are there twice",
        "WorthCollecting.scala",
        "if stage.isMaterialized && BroadcastKeys.areUnique(stage) =>",
        "if stage.isMaterialized =>",
        WORTH,
    ),
]
