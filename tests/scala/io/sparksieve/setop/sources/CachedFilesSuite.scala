package io.sparksieve.setop.sources

import java.io.File

import scala.util.Try

import org.apache.spark.sql.{DataFrame, QueryTest, Row}

/**
 * A DataFrame that was cached before its files were replaced, against one that is read after:
 * Spark answers from the cache what it finds there by root paths, and so must every query with
 * Sieve.
 */
class CachedFilesSuite extends SourcesTest {

  private val more: Seq[(String, (DataFrame, DataFrame) => DataFrame)] = Seq(
    ("EXCEPT, no filter", (l, r) => l.except(r)),
    ("EXCEPT ALL, no filter", (l, r) => l.exceptAll(r)),
    ("INTERSECT, no filter", (l, r) => l.intersect(r)),
    ("EXCEPT, left filter", (l, r) => l.where("month < 6").except(r)),
    (
      "counting",
      (l, r) => l.where("day = 1").select("month").except(r.where("day = 2").select("month"))),
    ("anti, no filter", (l, r) => l.join(r, Seq("month", "day"), "left_anti")),
    ("semi, no filter", (l, r) => l.join(r, Seq("month"), "left_semi")),
    (
      "EXCEPT of aggregates",
      (l, r) => l.groupBy("month").count().except(r.where("day = 1").groupBy("month").count()))
  )

  private def rows(body: => Seq[Row]): Either[String, Seq[Row]] =
    Try(body).toEither.left.map(e => e.toString.take(120).replaceAll("/tmp/\\S+", "…"))

  private def replaced(path: String, how: String): Unit = {
    val other = new File(path + "-other").getCanonicalPath
    flights
      .where("month > 3")
      .selectExpr("month", "day", "delay + 1 AS delay")
      .coalesce(1)
      .write
      .mode("overwrite")
      .parquet(other)
    val directory = new File(path)
    if (how == "replaced") directory.listFiles.foreach(_.delete())
    new File(other).listFiles.filter(_.getName.startsWith("part-")).foreach { f =>
      java.nio.file.Files.copy(f.toPath, new File(directory, f.getName).toPath)
    }
  }

  for {
    how <- Seq("replaced", "appended")
    (materialised, cachedPart) <- Seq((true, "file"), (false, "filter"))
  } test(
    s"files $how, cache of a $cachedPart, ${if (materialised) "filled" else "not yet filled"}") {
    var bad = Vector.empty[String]
    for {
      (name, operation) <- operations.filter(_.name.endsWith("T")).map(o => (o.name, o.of)) ++ more
      side <- Seq("old-new", "new-old")
    } withTempDir { dir =>
      def attempt(sieve: Boolean): Either[String, Seq[Row]] = {
        val path = new File(dir, s"data-$sieve").getCanonicalPath
        flights.coalesce(1).write.mode("overwrite").parquet(path)
        try {
          val old = spark.read.parquet(path)
          val kept = (if (cachedPart == "file") old else old.where("month < 6")).cache()
          if (materialised) kept.count()
          replaced(path, how)
          val now = spark.read.parquet(path)
          def of(which: String) = if (which == "old") kept else now
          val query = operation(of(side.split("-")(0)), of(side.split("-")(1)))
          rows(if (sieve) query.collect().toSeq else off(query))
        } finally spark.catalog.clearCache()
      }
      val (without, found) = (attempt(sieve = false), attempt(sieve = true))
      (without, found) match {
        case (Right(a), Right(b)) =>
          if (QueryTest.sameRows(a, b).nonEmpty)
            bad :+= s"$name $side: ${a.length} off, ${b.length} on"
        case (a, b) =>
          if (a.isLeft != b.isLeft)
            bad :+= s"$name $side: off ${a.map(_.length)} on ${b.map(_.length)}"
      }
    }
    assert(bad.isEmpty, bad.mkString("\n", "\n", ""))
  }
}
