// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.net.URI
import java.nio.file.{Files, StandardCopyOption}

import scala.util.Try

import org.apache.spark.sql.{DataFrame, QueryTest, Row}

import io.sparksieve.conf.SieveConf

/**
 * A DataFrame that was cached before its files changed, against one that is read afterwards. Spark
 * looks up cached plans by root paths, and reads the cache if it finds one. Every query with Sieve
 * must return the same rows.
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

  override def afterAll(): Unit =
    try Seq("files_before", "files_after").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  /** The data files of `rows`, written once for all tests as those of a table. */
  private def written(table: String, rows: DataFrame): Seq[File] = {
    rows.coalesce(1).write.format("parquet").saveAsTable(table)
    spark.table(table).inputFiles.map(file => new File(new URI(file))).toSeq
  }

  private lazy val before = written("files_before", flights)
  private lazy val after = written(
    "files_after",
    flights.where("month > 3").selectExpr("month", "day", "delay + 1 AS delay"))

  private def copy(files: Seq[File], path: String): Unit = {
    new File(path).mkdirs()
    files.foreach(f => Files.copy(f.toPath, new File(path, f.getName).toPath))
  }

  private def replaced(path: String, how: String): Unit = {
    if (how == "replaced") new File(path).listFiles.foreach(_.delete())
    copy(after, path)
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
        copy(before, path)
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

  /** Writes `file` with these keys, and replaces an existing one. */
  private def put(directory: String, file: String, keys: Seq[Long]): Unit = {
    val made = new File(directory + "-made").getCanonicalPath
    import testImplicits._
    keys.map(k => (k, k % 3)).toDF("k", "v").coalesce(1).write.mode("overwrite").parquet(made)
    val part = new File(made).listFiles.find(_.getName.startsWith("part-")).get.toPath
    new File(directory).mkdirs()
    new File(directory, s".$file.crc").delete()
    Files.copy(part, new File(directory, file).toPath, StandardCopyOption.REPLACE_EXISTING)
  }

  private def union(df: DataFrame) = df.where("k < 3").union(df.where("v = 1"))

  /**
   * Caches a plan over the file `a` with the keys 1 to 4, applies `change`, and asserts that the
   * query returns the same rows with Sieve and without.
   */
  private def same(name: String)(cached: DataFrame => DataFrame)(change: String => Unit)(
      query: (DataFrame, DataFrame, DataFrame) => DataFrame): Unit = test(name) {
    def attempt = inTempDir { dir =>
      val path = new File(dir, "data").getCanonicalPath
      put(path, "a", Seq(1, 2, 3, 4))
      val old = spark.read.parquet(path)
      val kept = cached(old).cache()
      try {
        kept.count()
        change(path)
        query(old, kept, spark.read.parquet(path)).collect().toSeq
      } finally spark.catalog.clearCache()
    }
    def under(sieve: Boolean) = withConf(SieveConf.ENABLED.key -> sieve.toString)(attempt)
    QueryTest.sameRows(under(sieve = false), under(sieve = true)).foreach(fail(_))
  }

  private val inPlace = (path: String) => put(path, "a", Seq(10, 20, 30, 40))
  private val beside = (path: String) => put(path, "b", Seq(-10, 20, 30, 40))

  same("a cached UNION ALL under DISTINCT, its file replaced")(union)(inPlace)((_, kept, _) =>
    kept.distinct())
  same("a UNION ALL under DISTINCT, cached before a file came")(union)(beside)((_, _, now) =>
    union(now).distinct())
  same("a cached UNION under another")(union)(inPlace)((old, kept, _) =>
    kept.union(old.where("k = 4")).distinct())
  same("EXCEPT of a UNION ALL, cached before a file came")(union)(beside)((_, _, now) =>
    now.except(union(now)))
  same("EXCEPT of a UNION, cached before a file came")(df => union(df).distinct())(beside)(
    (_, _, now) => now.except(union(now).distinct()))
  same("EXCEPT from a cached side, its file replaced")(_.where("k > 1"))(inPlace)((old, kept, _) =>
    kept.except(old.where("k > 3")))
  same("EXCEPT of a cached side, its file replaced")(_.where("k > 3"))(path =>
    put(path, "a", Seq(1, 2, 3, 5)))((old, kept, _) => old.except(kept))
  same("a semi-join with a cached side, its file replaced")(_.where("k > 3"))(path =>
    put(path, "a", Seq(1, 2, 3, 5)))((old, kept, _) => old.join(kept, Seq("k"), "left_semi"))

  private def halves(df: DataFrame) = df.where("k < 3").union(df.where("k >= 3"))

  for {
    (name, above) <- Seq[(String, DataFrame => DataFrame)](
      "a row id" -> (_.where("monotonically_increasing_id() >= 0")),
      "rand()" -> (_.where("rand(7) < 2")),
      "a sample" -> (_.sample(withReplacement = false, 1.0, 3))
    )
    (what, cached) <- Seq[(String, DataFrame => DataFrame)](
      "UNION ALL" -> (halves(_)),
      "EXCEPT ALL" -> (df => df.exceptAll(df.where("k > 2"))))
  } same(s"$name above a cached $what, its file replaced")(cached)(inPlace)((_, kept, _) =>
    above(kept))

  same("DISTINCT above a cached UNION ALL of three, its file replaced")(df =>
    halves(df).union(df.where("v = 1")))(inPlace)((_, kept, _) => kept.distinct())
}
