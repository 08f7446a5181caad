// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import scala.jdk.CollectionConverters._

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{LongType, StructType}

/** Commands that overwrite the directory which their query reads: Spark alone may succeed. */
class OverwrittenSourceSuite extends OverwrittenSourceTest {

  test("a directory that is read and overwritten")(overwriting())

  test("a directory that is read as a V2 table and overwritten") {
    withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> "")(overwriting())
  }

  private def overwriting(): Unit =
    withNumbers { dir =>
      queries(spark.range(1).toDF()).indices.foreach { i =>
        write(dir)
        val query = queries(spark.read.parquet(dir.getPath))(i)
        val found = reasons(query.write.mode("overwrite").parquet(dir.getPath))
        assert(found == Refused, i)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
      }
      write(dir)
      spark.read.parquet(dir.getPath).createOrReplaceTempView("numbers")
      sql(
        s"INSERT OVERWRITE DIRECTORY '${dir.getPath}' USING parquet " +
          "SELECT * FROM numbers EXCEPT ALL SELECT * FROM numbers WHERE id < 3")
      checkAnswer(spark.read.parquet(dir.getPath), kept)
    }

  test("a directory within the one that is read, and one around it") {
    withNumbers { dir =>
      val (inner, outer) = (new File(dir, "a/b"), new File(dir, "a"))
      write(inner)
      val query = queries(spark.read.parquet(inner.getPath)).head
      assert(
        reasons(query.write.mode("overwrite").parquet(outer.getPath)) ==
          Refused)
      write(outer)
      write(inner)
      val above = queries(spark.read.parquet(outer.getPath)).head
      assert(
        reasons(above.write.mode("overwrite").parquet(inner.getPath)) ==
          Refused)
    }
  }

  test("a partition of a table that lies in the directory, read and written") {
    withNumbers { dir =>
      withTable("parts") {
        sql("CREATE TABLE parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p)")
        write(dir)
        sql(s"ALTER TABLE parts ADD PARTITION (p = 1) LOCATION '${dir.toURI}'")
        val query = queries(spark.table("parts").select("id")).head
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
        write(dir)
        queries(spark.read.parquet(dir.getPath)).head.createOrReplaceTempView("some")
        assert(reasons(sql("INSERT OVERWRITE parts PARTITION (p = 1) TABLE some")) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
      }
    }
  }

  test("rows of an RDD, which may read any file") {
    withNumbers { dir =>
      write(dir)
      def rows = {
        val read = spark.read.parquet(dir.getPath)
        spark.createDataFrame(read.rdd, read.schema)
      }
      // A new directory holds no file that could be read.
      val other = new File(dir, "new")
      assert(
        reasons(queries(rows).head.write.mode("overwrite").parquet(other.getPath)) == Set(None))
      checkAnswer(spark.read.parquet(other.getPath), kept)
      assert(reasons(queries(rows).head.write.mode("overwrite").parquet(dir.getPath)) == Refused)
      checkAnswer(spark.read.parquet(dir.getPath), kept)
    }
  }

  test("what cannot be in the directory") {
    withNumbers { dir =>
      withTable("parts") {
        sql("CREATE TABLE parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p)")
        sql("INSERT INTO parts SELECT id, 1 FROM range(10)")
        val local = spark.createDataFrame(
          (0L until 10L).map(Row(_)).asJava,
          new StructType().add("id", LongType))
        for (t <- Seq(spark.table("parts").select("id"), spark.range(10).toDF(), local)) {
          val query = t.exceptAll(t.where("id < 3"))
          assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Set(None))
          checkAnswer(spark.read.parquet(dir.getPath), kept)
        }
      }
    }
  }

  test("other directories, names that only begin alike, and rows that are added") {
    withNumbers { dir =>
      write(dir)
      def query = queries(spark.read.parquet(dir.getPath)).head
      val alike = new File(s"${dir.getPath}-copy")
      try {
        assert(reasons(query.write.mode("overwrite").parquet(alike.getPath)) == Set(None))
        checkAnswer(spark.read.parquet(alike.getPath), kept)
      } finally JavaUtils.deleteRecursively(alike)
      assert(reasons(query.write.mode("append").parquet(dir.getPath)) == Set(None))
      checkAnswer(spark.read.parquet(dir.getPath), (0L until 10L).map(Row(_)) ++ kept)
    }
  }
}
