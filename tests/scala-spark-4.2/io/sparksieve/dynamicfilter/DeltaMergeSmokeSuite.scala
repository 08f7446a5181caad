// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import io.sparksieve.DeltaSession
import io.sparksieve.report.core.Reason

/** MERGE of Delta tables finds the files to rewrite by reading them alone. */
class DeltaMergeSmokeSuite extends RowLevelTest with DeltaSession {

  private def create(vectors: Boolean)(name: String): Unit =
    bigRows.write
      .format("delta")
      .option("delta.enableDeletionVectors", vectors.toString)
      .saveAsTable(name)

  private val both = s"$Matched $NotMatched"

  test("MERGE, and the numbers in the table's history") {
    withTable("d", "e") {
      Seq("d", "e").foreach(create(vectors = false))
      joined(broadcast = true) {
        assertOneFile(pruned { sql(merge("d", both)); () })
        withoutSieve(sql(merge("e", both)))
      }
      checkAnswer(spark.table("d"), spark.table("e").collect().toSeq)
      val names = Seq("SourceRows", "TargetRowsUpdated", "TargetRowsInserted", "TargetFilesRemoved")
      def history(t: String) = {
        val last = sql(s"DESCRIBE HISTORY $t LIMIT 1").select("operationMetrics").head()
        names.map(name => last.getMap[String, String](0)(s"num$name"))
      }
      assert(history("d") == Seq("20", "10", "10", "1") && history("e") == history("d"))
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

  test("what is declined: unmatched rows of the target, insertions alone, and shuffles") {
    withTable("d") {
      create(vectors = false)("d")
      val gone = s"$both WHEN NOT MATCHED BY SOURCE AND t.id > 15000 THEN DELETE"
      for ((clauses, broadcast) <- Seq(gone -> true, NotMatched -> true, both -> false))
        joined(broadcast) {
          assertWhole(pruned { sql(merge("d", clauses)); () }, Reason.NonDeterministic)
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
