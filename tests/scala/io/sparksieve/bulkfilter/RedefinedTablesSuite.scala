// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.Row

/**
 * Cached values of a table or view are not used for another table or view of the same name, even if
 * both read the same files.
 */
class RedefinedTablesSuite extends BulkFilterTest {

  import testImplicits._

  private def found(name: String): Seq[Row] =
    sql(s"SELECT id FROM range(200) WHERE in_table(id, '$name')").collect().toSeq

  /** Runs `change` between two queries, and asserts that the second query sees the change. */
  private def redefined(name: String)(change: => Unit): Unit = {
    found(name)
    change
    val column = name.split('.').last
    val table = name.stripSuffix(s".$column")
    checkAnswer(
      sql(s"SELECT id FROM range(200) WHERE in_table(id, '$name')"),
      sql(s"SELECT id FROM range(200) WHERE id IN (SELECT $column FROM $table)"))
  }

  test("a view of another column, or of a cast") {
    withTempDir { folder =>
      val path = s"$folder/data"
      sql("SELECT id AS a, id + 100 AS b, id + 0.6D AS c FROM range(5)").write.parquet(path)
      def view(column: String) =
        sql(s"CREATE OR REPLACE TEMPORARY VIEW kv AS SELECT $column AS x FROM parquet.`$path`")
      withTempView("kv") {
        view("a")
        redefined("kv.x")(view("b"))
        redefined("kv.x")(view("CAST(c AS BIGINT)"))
        redefined("kv.x")(view("CAST(round(c) AS BIGINT)"))
      }
    }
  }

  test("a view with other options of the reader") {
    withTempDir { folder =>
      val path = s"$folder/data"
      Seq("7", "8", "9").toDF("x").coalesce(1).write.text(path)
      def view(header: Boolean) = sql(
        "CREATE OR REPLACE TEMPORARY VIEW kv (x BIGINT) USING csv " +
          s"OPTIONS (path '$path', header '$header')")
      withTempView("kv") {
        view(header = false)
        redefined("kv.x")(view(header = true))
      }
    }
  }

  test("a directory of another value") {
    withTable("kt") {
      sql("CREATE TABLE kt (y INT, p BIGINT) USING parquet PARTITIONED BY (p)")
      sql("INSERT INTO kt VALUES (1, 5)")
      val table = spark.sessionState.catalog.getTableMetadata(
        spark.sessionState.sqlParser.parseTableIdentifier("kt"))
      redefined("kt.p") {
        val kept = new java.io.File(new java.io.File(table.location), "kept")
        new java.io.File(new java.io.File(table.location), "p=5").renameTo(kept)
        sql("ALTER TABLE kt DROP PARTITION (p = 5)")
        sql(s"ALTER TABLE kt ADD PARTITION (p = 7) LOCATION '${kept.toURI}'")
      }
    }
  }

  test("a table of the same files that is created anew") {
    withTempDir { folder =>
      sql("SELECT id AS a, id + 100 AS b FROM range(5)").coalesce(1).write.csv(s"$folder/data")
      def table(columns: String) = {
        sql("DROP TABLE IF EXISTS kt")
        sql(s"CREATE TABLE kt ($columns) USING csv LOCATION '$folder/data'")
      }
      withTable("kt") {
        table("x BIGINT, y BIGINT")
        redefined("kt.x")(table("y BIGINT, x BIGINT"))
      }
    }
  }
}
