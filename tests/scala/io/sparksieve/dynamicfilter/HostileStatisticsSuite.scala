// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, File}
import java.nio.{ByteBuffer, ByteOrder}
import java.nio.file.Files

import org.apache.parquet.format.{Statistics, Util}

import org.apache.spark.SparkException
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf

/** Files whose footers say nothing, or what cannot be. */
class HostileStatisticsSuite extends DynamicFilterTest {

  private type Change = Statistics => Unit

  private def swap(s: Statistics): Unit = {
    val (least, greatest) = (s.getMin_value, s.getMax_value)
    s.setMin_value(greatest)
    s.setMax_value(least)
    ()
  }

  private def both(bytes: Array[Byte])(s: Statistics): Unit = {
    s.setMin_value(bytes)
    s.setMax_value(bytes)
    ()
  }

  private val silent: Seq[(String, Change)] = Seq(
    "nothing" -> (s => s.clear()),
    "no least" -> (_.unsetMin_value()),
    "no greatest" -> (_.unsetMax_value()),
    "negative NULLs" -> { s => s.setNull_count(-3); () },
    "more NULLs than rows" -> { s => s.setNull_count(1000); () }
  )

  private val wrong: Seq[(String, Change)] = Seq(
    "swapped" -> swap,
    "empty" -> both(Array.emptyByteArray),
    "one byte" -> both(Array[Byte](1)),
    "twenty bytes" -> both(Array.fill[Byte](20)(-1)),
    "only NULLs" -> { s => s.clear(); s.setNull_count(25); () },
    "NaN" -> both(Array[Byte](0, 0, 0, 0, 0, 0, -8, 127))
  )

  /** Rewrites the footer of a file with other statistics of its column. */
  private def doctor(file: File, change: Change): Unit = {
    val bytes = Files.readAllBytes(file.toPath)
    val length =
      ByteBuffer.wrap(bytes, bytes.length - 8, 4).order(ByteOrder.LITTLE_ENDIAN).getInt
    val start = bytes.length - 8 - length
    val footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, length))
    footer.getRow_groups.forEach(_.getColumns.forEach { chunk =>
      // Pages have no statistics then.
      chunk.unsetColumn_index_offset()
      chunk.unsetOffset_index_offset()
      val data = chunk.getMeta_data
      if (data.getPath_in_schema.get(0) == "k") {
        data.unsetDictionary_page_offset()
        change(data.getStatistics)
      }
    })
    val out = new ByteArrayOutputStream
    out.write(bytes, 0, start)
    Util.writeFileMetaData(footer, out)
    val written = out.size - start
    out.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(written).array)
    out.write("PAR1".getBytes)
    Files.write(file.toPath, out.toByteArray)
    new File(file.getParent, s".${file.getName}.crc").delete()
    ()
  }

  private val types = Seq(
    "INT" -> "cast(id AS INT)",
    "SMALLINT" -> "cast(id AS SMALLINT)",
    "DECIMAL(30,2)" -> "cast(id AS DECIMAL(30,2))",
    "STRING" -> "concat('k', 1000 + id)"
  )

  /** Runs `body` for files of each type with changed statistics; 25 rows in each of four files. */
  private def withFiles(changes: Seq[(String, Change)])(body: (String, DataFrame) => Unit): Unit =
    for ((name, key) <- types; (what, change) <- changes) withTempPath { dir =>
      val rows = spark.range(0, 100, 1, 4).selectExpr(s"$key AS k", "id")
      rows.write.option("parquet.enable.dictionary", "false").parquet(dir.getPath)
      dir.listFiles.filter(_.getName.endsWith(".parquet")).foreach(doctor(_, change))
      withTempView("t", "d") {
        spark.read.parquet(dir.getPath).createOrReplaceTempView("t")
        spark.range(0, 100).selectExpr(s"$key AS k", "id AS x").createOrReplaceTempView("d")
        body(s"$name, $what", spark.range(0, 100).where(Chosen).selectExpr(key))
      }
    }

  private val Chosen = "id IN (30, 55, 56)"

  private def join(hint: String = "") =
    sql(s"SELECT $hint t.id FROM t JOIN d ON t.k = d.k WHERE d.x IN (30, 55, 56)")

  private def ids(rows: Seq[Row]) = rows.map(_.getLong(0)).toSet

  /** The ids in the rows, or an empty set of a query that fails: Spark refuses some footers. */
  private def tried(rows: => Seq[Row]): Set[Long] =
    try ids(rows)
    catch { case _: SparkException => Set.empty }

  /** Passes the rows with Sieve to `use`: keys of a shuffle and of a broadcast, footers or none. */
  private def each(use: Set[Long] => Unit): Unit =
    for ((hint, files) <- Seq("" -> "1", "/*+ BROADCAST(d) */" -> "1000"))
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> files) {
        val query = join(hint)
        val rows = tried(query.collect().toSeq)
        if (spark.sessionState.conf.parquetFilterPushDown)
          assert(query.queryExecution.executedPlan.toString.contains("DynamicFilter"))
        use(rows)
      }

  test("statistics that say nothing: every row stays") {
    withFiles(silent) { (clue, _) => each(rows => assert(rows == Set(30L, 55L, 56L), clue)) }
  }

  test("statistics that are wrong: no row is lost that the same keys written by hand would keep") {
    withFiles(wrong) { (clue, keys) =>
      val byHand = spark.table("t").where(col("k").isin(keys.collect().map(_.get(0)).toSeq: _*))
      val kept = tried(off(byHand.select("id")))
      each(rows => assert(kept.subsetOf(rows), clue))
    }
  }

  test("a user who knows that statistics are wrong switches push-down off") {
    withConf(SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false") {
      withFiles(wrong) { (clue, _) =>
        val all = tried(off(join()))
        each(rows => assert(rows == all, clue))
      }
    }
  }
}
