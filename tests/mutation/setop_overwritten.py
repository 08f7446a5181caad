# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks where a command overwrites files that its query reads."""

from mutation import Mutation

MUTATIONS = [
    Mutation(
        "setop: CommonSource: files that the command overwrites",
        "CommonSource.scala",
        "else if (ctx.query.overwritesItsFiles) Left(Reason.OverwrittenSource)",
        "else if (false && ctx.query.overwritesItsFiles) Left(Reason.OverwrittenSource)",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: Overwritten: only the very directory",
        "Overwritten.scala",
        "(places(path) || isWithin(path.getParent, places))",
        "(places(path) || isWithin(null, places))",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: ReadPlaces: what is not known reads nothing",
        "ReadPlaces.scala",
        "case _ => None\n  }\n\n  /** The places that a command",
        "case _ => Some(Nil)\n  }\n\n  /** The places that a command",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: ReadPlaces: nothing is there to be overwritten",
        "ReadPlaces.scala",
        ".filter(exists)",
        ".filterNot(exists)",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: ReadPlaces: partitions that lie elsewhere",
        "ReadPlaces.scala",
        "if (table.partitionColumnNames.isEmpty) Nil",
        "if (table.partitionColumnNames.size >= 0) Nil",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: LocalNames: links",
        "LocalNames.scala",
        "if (Files.isSymbolicLink(next))",
        "if (next == null)",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: LocalNames: only where a link leads",
        "LocalNames.scala",
        "case Nil => links :+ Try(at.toRealPath()).getOrElse(at)",
        "case Nil => Vector(Try(at.toRealPath()).getOrElse(at))",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: LocalNames: a circle of links leads nowhere",
        "LocalNames.scala",
        "getOrElse(Seq(path.getRoot))",
        "getOrElse(Nil)",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: ReadPlaces: the log of a stream names files of its directory",
        "ReadPlaces.scala",
        "Some(logged.allFiles().flatMap(f => within(f.getPath)))",
        "Some(logged.rootPaths.flatMap(within))",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: ReadPlaces: links within a directory",
        "ReadPlaces.scala",
        "LocalNames.within(local(path))",
        "LocalNames(local(path))",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: Overwritten: appended rows too",
        "Overwritten.scala",
        "if c.mode == SaveMode.Overwrite",
        "if c.mode != SaveMode.Ignore",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: Overwritten: files that are read as a V2 table",
        "ReadPlaces.scala",
        "indexed(files.fold(_.location, _.fileIndex))",
        "files.fold(f => indexed(f.location), _ => Some(Nil))",
        ["OverwrittenSourceSuite"],
    ),
    Mutation(
        "setop: LocalNames: links to directories",
        "LocalNames.scala",
        "Files.walk(directory, FileVisitOption.FOLLOW_LINKS)",
        "Files.walk(directory, 1, FileVisitOption.FOLLOW_LINKS)",
        ["OverwrittenLinksSuite"],
    ),
    Mutation(
        "setop: CommonSource: a batch of a stream that a function overwrites is read once",
        "CommonSource.scala",
        " || ctx.query.isGivenBatch",
        "",
        ["StreamingSuite"],
    ),
    Mutation(
        "setop: WholeQuery: a batch that a source writes is left alone",
        "WholeQuery.scala",
        "WholeQuery.Writes(plan.nodeName)",
        'WholeQuery.Writes(s"not ${plan.nodeName}")',
        ["StreamingSuite"],
    ),
]
