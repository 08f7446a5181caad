# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in the tab of Spark's UI, and in the lines of EXPLAIN, one at a time."""

from mutation import Mutation

TAB = ["TabSmokeSuite"]
EXPLAIN = ["ExplainSmokeSuite"]

MUTATIONS = [
    Mutation(
        "ui: PlanningLog: verdicts of a plan that was normalized for a lookup stay",
        "PlanningLog.scala",
        "normalized.set(new SoftReference(log))",
        "if (log.entries.nonEmpty) normalized.set(new SoftReference(log))",
        EXPLAIN,
    ),
    Mutation(
        "ui: PlanningLog: the optimizer does not take over the verdicts of normalization",
        "PlanningLog.scala",
        "flatMap(log => Option(log.get))",
        "flatMap(log => Option(log.get).filter(_ => false))",
        [*EXPLAIN, *TAB],
    ),
    Mutation(
        "ui: PlanningLog: the log is not tied to the optimized plan",
        "PlanningLog.scala",
        "case root => PlanningLog.tie(root)",
        "case root => PlanningLog.tie(root.clone())",
        EXPLAIN,
    ),
    Mutation(
        "ui: PlanningLog: verdicts on operators are lost",
        "PlanningLog.scala",
        "if (before.size < Max) node.setTagValue",
        "if (before.size > Max) node.setTagValue",
        [*EXPLAIN, *TAB],
    ),
    Mutation(
        "ui: Verdicts: a rule that declined beside one that acted",
        "Verdicts.scala",
        "e.reason.isEmpty || !acted.contains((e.feature, e.place))",
        "e.reason.isEmpty || !acted.contains((e.place, e.feature))",
        EXPLAIN,
    ),
    Mutation(
        "ui: NoteQuery: the master switch",
        "NoteQuery.scala",
        "getConf(SieveConf.ENABLED)) None",
        "getConf(SieveConf.UI_ENABLED)) None",
        TAB,
    ),
    Mutation(
        "ui: NoteQuery: queries about which there is nothing to say",
        "NoteQuery.scala",
        "if (verdicts.isEmpty && scans.isEmpty) None",
        "if (verdicts.size < 0) None",
        TAB,
    ),
    Mutation(
        "ui: Tab: more queries than Spark keeps",
        "Tab.scala",
        ".take((count - retained).toInt)",
        ".take((retained - count).toInt)",
        TAB,
    ),
    Mutation(
        "ui: Tab: attached once",
        "Tab.scala",
        "findListenersByClass[EndedExecutions]().isEmpty",
        "findListenersByClass[EndedExecutions]().size < 5",
        TAB,
    ),
    Mutation(
        "ui: Tab: the last query comes behind the end of the listener bus",
        "Tab.scala",
        "e => writers.foreach(_.onOtherEvent(e))",
        "e => if (writers.nonEmpty) context.listenerBus.post(e)",
        ["LastQuerySmokeSuite"],
    ),
    Mutation(
        "ui: FiguresOfRun: figures of a cache are with each query that reads it",
        "FiguresOfRun.scala",
        "if (isFirst) cache.setTagValue",
        "if (!isFirst) cache.setTagValue",
        TAB,
    ),
    Mutation(
        "ui: FiguresOfRun: another run of one query has the figures of the run before",
        "FiguresOfRun.scala",
        "l.query.get.eq(query) && l.nanos == nanos",
        "l.query.get.eq(query)",
        TAB,
    ),
    Mutation(
        "ui: ContextConf: a provider of the user's is replaced",
        "ContextConf.scala",
        '(before :+ value).mkString(",")',
        "value",
        EXPLAIN,
    ),
]
