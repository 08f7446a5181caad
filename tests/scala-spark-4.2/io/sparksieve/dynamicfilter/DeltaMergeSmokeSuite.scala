// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import io.sparksieve.DeltaSession
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** MERGE of Delta tables finds the files to rewrite by reading them alone. */
class DeltaMergeSmokeSuite extends RowLevelTest with DeltaSession {

  private def create(vectors: Boolean)(name: String): Unit =
    bigRows.write
      .format("delta")
      .option("delta.enableDeletionVectors", vectors.toString)
      .saveAsTable(name)

  private val both = s"$Matched $NotMatched"

  /** Merges into two tables, with Sieve and without: the same rows, and numbers in the history. */
  private def mergedAlike(clauses: String, source: String = "few"): Pruned = {
    val numbers = Seq(
      "numSourceRows",
      "numTargetRowsUpdated",
      "numTargetRowsInserted",
      "numTargetRowsCopied",
      "numTargetFilesRemoved")
    def history(t: String) = {
      val last = sql(s"DESCRIBE HISTORY $t LIMIT 1").select("operationMetrics").head()
      last.getMap[String, String](0).filter { case (name, _) => numbers.contains(name) }.toMap
    }
    withTables("d", "e") {
      val found = pruned { sql(merge("d", clauses, source)); () }
      withoutSieve(sql(merge("e", clauses, source)))
      checkAnswer(spark.table("d"), spark.table("e").collect().toSeq)
      assert(history("d") == history("e") && history("e").size == numbers.size)
      found
    }
  }

  private def withTables[T](names: String*)(body: => T): T =
    try {
      names.foreach(create(vectors = false))
      body
    } finally names.foreach(t => sql(s"DROP TABLE IF EXISTS $t"))

  test("MERGE, and the numbers in the table's history") {
    joined(broadcast = true)(assertOneFile(mergedAlike(both)))
  }

  private val filtered = "(SELECT * FROM few WHERE s <> 'n3')"

  /** Delta does not store the rows of the source of a MERGE that only inserts. */
  private val byPartition = "(SELECT id, concat(s, spark_partition_id()) AS s FROM few)"

  test("a MERGE that only inserts: a source that is filtered, computed, a Delta table") {
    withTable("src") {
      spark.table("few").write.format("delta").saveAsTable("src")
      val some = "WHEN NOT MATCHED AND n.id % 2 = 0 THEN INSERT (id, s) VALUES (n.id, n.s) " +
        "WHEN NOT MATCHED AND n.id > 90005 THEN INSERT (id) VALUES (n.id)"
      joined(broadcast = false) {
        assertOneFile(mergedAlike(some))
        val sources = Seq("few", filtered, "(SELECT id, max(s) AS s FROM few GROUP BY id)", "src")
        sources.foreach(source => assertOneFile(mergedAlike(NotMatched, source)))
      }
    }
  }

  test("deletion vectors, a condition of a clause, and a source that is a Delta table") {
    withTable("src") {
      spark.table("few").write.format("delta").saveAsTable("src")
      joined(broadcast = true) {
        val clause = "WHEN MATCHED AND n.id % 2 = t.id % 2 AND t.k > 0 THEN DELETE"
        val found = changedAlike(create(vectors = true), "d" -> "e")(merge(_, clause, "src"))
        // A later phase reads the touched file once more.
        assert(found.before == 9 && found.read == 2, found)
      }
    }
  }

  test("what is declined: unmatched rows of the target, shuffles, a large source, the switch") {
    withTables("d") {
      val gone = s"$both WHEN NOT MATCHED BY SOURCE AND t.id > 15000 THEN DELETE"
      def whole(clauses: String, broadcast: Boolean, reason: Reason, source: String = "few") =
        joined(broadcast)(assertWhole(pruned { sql(merge("d", clauses, source)); () }, reason))
      whole(gone, broadcast = true, Reason.NonDeterministic)
      whole(both, broadcast = false, Reason.NonDeterministic)
      whole(NotMatched, broadcast = false, Reason.NonDeterministic, byPartition)
      withConf(SieveConf.DYNAMIC_FILTER_MIN_TARGET_RATIO.key -> "1000000") {
        whole(NotMatched, broadcast = false, Reason.NotSelective)
        whole(NotMatched, broadcast = false, Reason.NotSelective, filtered)
      }
      withConf(SieveConf.DYNAMIC_FILTER_ROW_LEVEL.key -> "false") {
        whole(NotMatched, broadcast = false, Reason.NonDeterministic)
      }
    }
  }

  test("a row with two partners is an error") {
    withTable("d") {
      create(vectors = false)("d")
      joined(broadcast = true) {
        assertFails("DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW")(merge("d", Matched, Twice))
      }
    }
  }
}
