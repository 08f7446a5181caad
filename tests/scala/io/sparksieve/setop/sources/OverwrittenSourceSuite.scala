// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{LongType, StructType}

import io.sparksieve.report.core.{Features, Reason, Report}
import io.sparksieve.setop.SetOpTest

/** Commands that overwrite the directory which their query reads: Spark alone may succeed. */
class OverwrittenSourceSuite extends SetOpTest {

  private def queries(t: DataFrame): Seq[DataFrame] = Seq(
    t.exceptAll(t.where("id < 3")),
    t.where("id >= 3").intersectAll(t),
    t.as("l").join(t.where("id < 3").as("r"), col("l.id") === col("r.id"), "left_anti"),
    t.as("l").join(t.where("id >= 3").as("r"), col("l.id") === col("r.id"), "left_semi")
  )

  private def withNumbers(body: File => Unit): Unit = withTempPath { dir =>
    withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true",
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1")(body(dir))
  }

  private def write(to: File): Unit = spark.range(10).write.mode("overwrite").parquet(to.getPath)

  /** The reasons of the verdicts on the set operations of a command; None for what was applied. */
  private def reasons(command: => Unit): Set[Option[Reason]] =
    Report.collecting(command)._2.filter(_.feature == Features.SetOp).map(_.reason).toSet

  private val Refused = Set[Option[Reason]](Some(Reason.OverwrittenSource))

  private val kept = (3L until 10L).map(Row(_))

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

  test("a directory by the name of a link, and links within a directory") {
    withNumbers { dir =>
      withTempDir { links =>
        write(dir)
        val link = Files.createSymbolicLink(new File(links, "all").toPath, dir.toPath)
        val query = queries(spark.read.parquet(link.toString)).head
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
        write(dir)
        val inner = new File(links, "some")
        assert(inner.mkdir())
        relink(dir, inner)
        withTable("linked") {
          sql("CREATE TABLE linked (id BIGINT, p INT) USING parquet PARTITIONED BY (p)")
          sql(s"ALTER TABLE linked ADD PARTITION (p = 1) LOCATION '${inner.toURI}'")
          val outer = new File(links, "outer")
          assert(outer.mkdir())
          Files.createSymbolicLink(new File(outer, "p=1").toPath, inner.toPath)
          def read(directory: File) = spark.read.parquet(directory.getPath)
          for (t <- Seq(() => read(inner), () => read(outer), () => spark.table("linked"))) {
            val query = queries(t().select("id")).head
            assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
            checkAnswer(spark.read.parquet(dir.getPath), kept)
            relink(dir, inner)
          }
        }
      }
    }
  }

  /** Writes the numbers to `dir`, and makes `links` a directory of links to its files. */
  private def relink(dir: File, links: File): Unit = {
    links.listFiles.foreach(_.delete())
    write(dir)
    for (file <- dir.listFiles if file.getName.endsWith(".parquet"))
      Files.createSymbolicLink(new File(links, file.getName).toPath, file.toPath)
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
