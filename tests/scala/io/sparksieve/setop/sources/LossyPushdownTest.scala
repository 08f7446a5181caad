// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import scala.util.Try

import org.apache.spark.sql.{DataFrame, QueryTest, Row}

/** For sources that lose rows if a filter is pushed down. */
trait LossyPushdownTest extends SourcesTest {

  private def forms(f: String, columns: String): Seq[String] = {
    val key = columns.split(", ").head
    Seq(
      s"SELECT $columns FROM v EXCEPT SELECT $columns FROM v WHERE $f",
      s"SELECT $columns FROM v WHERE $f EXCEPT SELECT $columns FROM v WHERE k < 3",
      s"SELECT $columns FROM v EXCEPT ALL SELECT $columns FROM v WHERE $f",
      s"SELECT $columns FROM v INTERSECT SELECT $columns FROM v WHERE $f",
      s"SELECT $columns FROM v WHERE $f INTERSECT ALL SELECT $columns FROM v",
      s"SELECT $columns FROM v WHERE $f UNION SELECT $columns FROM v WHERE k < 3",
      s"SELECT $columns FROM v WHERE $f UNION ALL SELECT $columns FROM v WHERE NOT ($f)",
      s"SELECT k FROM v WHERE $f EXCEPT SELECT k FROM v WHERE NOT ($f)",
      s"SELECT k % 2 AS h FROM v EXCEPT SELECT k % 2 FROM v WHERE $f",
      s"SELECT k % 2 AS h FROM v WHERE $f INTERSECT ALL SELECT k % 2 FROM v WHERE k < 5",
      s"SELECT * FROM v l LEFT ANTI JOIN (SELECT * FROM v WHERE $f) r ON l.$key = r.$key",
      s"SELECT * FROM v l LEFT SEMI JOIN (SELECT * FROM v WHERE $f) r ON l.$key <=> r.$key",
      s"SELECT * FROM v WHERE $key IN (SELECT $key FROM v WHERE $f)",
      s"SELECT * FROM v WHERE $key IS NOT NULL AND $key NOT IN (SELECT $key FROM v WHERE $key IS NOT NULL AND $f)",
      s"SELECT * FROM v l WHERE NOT EXISTS (SELECT 1 FROM v r WHERE r.$key = l.$key AND ${f.replace(key, s"r.$key")})"
    )
  }

  /** How the rows of a query differ with Sieve; None if they are equal. */
  private def difference(query: String): Option[String] = {
    def rows(body: => Seq[Row]) =
      Try(body).toEither.left.map(_.toString.take(300))
    val without = rows(off(sql(query)))
    val found = rows(sql(query).collect().toSeq)
    (without, found) match {
      case (Right(a), Right(b)) =>
        QueryTest.sameRows(a, b).map(_ => s"$query\n   off $a\n   on  $b")
      case (Left(_), _) => None
      case (_, Left(e)) => Some(s"$query\n  $e")
    }
  }

  protected def assertSame(queries: Seq[String]): Unit = {
    val differences = queries.flatMap(difference)
    assert(differences.isEmpty, differences.mkString("\n"))
  }

  protected def checked(filters: Seq[String], columns: String = "x, k"): Unit =
    // Each filter is tested with a third of the forms, in turn, so that every form is covered.
    assertSame(for {
      (f, i) <- filters.zipWithIndex
      (query, j) <- forms(f, columns).zipWithIndex if (i + j) % 3 == 0
    } yield query)

  protected def withView(write: String => Unit, read: String => DataFrame)(body: => Unit): Unit =
    withTempDir { dir =>
      val path = new File(dir, "data").getCanonicalPath
      write(path)
      withTempView("v") {
        read(path).createOrReplaceTempView("v")
        try body
        finally spark.catalog.clearCache()
      }
    }

  protected val doubles =
    Seq("x <= 5.0D", "x > 5.0D", "NOT (x > 5.0D)", "x >= 0.0D", "x = 0.0D", "x IN (0.0D, 1.0D)")

  /** Writes one file for each kind of values: only NaN, only one of the zeros, and mixtures. */
  protected def writeDoubles(format: String)(path: String): Unit =
    for (values <- Seq(
        "double('NaN'), 1), (double('NaN'), 2",
        "0.0D, 3",
        "-0.0D, 4), (-0.0D, 5",
        "cast(NULL AS DOUBLE), 6",
        "1.0D, 7), (double('NaN'), 8",
        "5.0D, 9), (double('NaN'), 10), (6.0D, 11",
        "0.0D, 1"
      )) {
      sql(s"SELECT * FROM VALUES ($values) AS t(x, k)")
        .coalesce(1)
        .write
        .mode("append")
        .format(format)
        .save(path)
    }
}
