package io.sparksieve.setop.sources

import java.io.File

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.Reason

/** Partitioned and bucketed data: the one scan reads no file that the two scans would not. */
class PartitionedSourcesSuite extends SourcesTest {

  // With it JSON is declined: see ParseModesSuite.
  override protected def sparkConf =
    super.sparkConf.set(SQLConf.JSON_FILTER_PUSHDOWN_ENABLED.key, "false")

  private val Except = "ReplaceExceptWithNotFilter"
  private val Union = "ReplaceUnionWithFilter"

  /** Twelve directories of one file each. */
  private def withMonths(format: String)(body: (() => DataFrame) => Unit): Unit = withTempDir {
    dir =>
      val path = new File(dir, "data").getCanonicalPath
      flights.coalesce(1).write.partitionBy("month").format(format).save(path)
      body(() => spark.read.schema("day INT, delay INT, month INT").format(format).load(path))
  }

  /** Asserts one scan of `files` files that skips partitions. */
  private def assertFiles(rule: String, files: Long)(query: => DataFrame): Unit = {
    assertOneScan(rule)(query)
    val scans = fileScans(query)
    assert(scans.length == 1, scans)
    assert(scans.head.partitionFilters.nonEmpty, scans)
    assert(filesRead(scans) == files, scans)
  }

  private def assertPruned(read: () => DataFrame): Unit = {
    def l = read()
    def r = read()
    assertFiles(Except, 4)(l.where("month < 6").except(r.where("month = 3")))
    assertFiles(Except, 4)(l.where("month < 6").exceptAll(r.where("month = 3")))
    assertFiles("ReplaceIntersectWithFilter", 2) {
      l.where("month < 6").intersectAll(r.where("month > 3"))
    }
    assertFiles(Union, 2)(l.where("month = 1").union(r.where("month = 12")))
    assertFiles("ReplaceAntiJoinWithNotFilter", 4) {
      l.where("month < 6").join(r.where("month = 3"), Seq("month"), "left_anti")
    }
    assertFiles("ReplaceSemiJoinWithFilter", 2) {
      l.where("month < 6").join(r.where("month > 3"), Seq("month"), "left_semi")
    }
    assertFiles("ReplaceSetOpWithCounts", 3) {
      l.where("month <= 2").select("day").except(r.where("month = 3").select("day"))
    }
  }

  for (format <- Seq("parquet", "csv", "json")) {
    test(
      s"$format directories: pruned as before, and one side's partitions are no reason to read all") {
      withMonths(format) { read =>
        assertPruned(read)
        assertDeclined(Union, Reason.PruningLost) {
          read().where("month = 1").union(read().where("day = 2")).distinct()
        }
      }
    }
  }

  test("a partitioned catalog table") {
    withTable("by_month") {
      flights.coalesce(1).write.partitionBy("month").saveAsTable("by_month")
      assertPruned(() => spark.table("by_month"))
    }
  }

  test("a bucketed table") {
    withTable("buckets") {
      flights.write.bucketBy(4, "month").sortBy("month").saveAsTable("buckets")
      assertEveryRewrite(spark.table("buckets"), spark.table("buckets"))
    }
  }

  test("a bucketed table and its files are two sources") {
    withTable("buckets") {
      flights.write.bucketBy(4, "month").saveAsTable("buckets")
      val path = new File(spark.table("buckets").inputFiles.head).getParent
      assertDeclined(Except, Reason.DifferentSource) {
        spark.table("buckets").exceptAll(spark.read.parquet(path).where("month = 3"))
      }
    }
  }
}
