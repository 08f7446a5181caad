// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import io.sparksieve.TestedLine
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** MERGE, UPDATE and DELETE of Iceberg tables read the files that they touch. */
class IcebergMergeSmokeSuite extends IcebergTest with RowLevelTest {

  private def create(mode: String, version: Int = 2)(name: String): Unit = {
    val modes = Seq("delete", "update", "merge").map(c => s"'write.$c.mode' = '$mode'")
    sql(s"""CREATE TABLE $name (id BIGINT, k INT, s STRING, grp INT) USING iceberg
      TBLPROPERTIES ('format-version' = '$version', 'write.distribution-mode' = 'none',
        ${modes.mkString(", ")})""")
    bigRows.writeTo(name).append()
  }

  private val names = T -> "ice.db.u"

  private val both = s"$Matched $NotMatched"

  for ((mode, version) <- Seq("merge-on-read" -> 2, "merge-on-read" -> 3, "copy-on-write" -> 2)) {
    def changed(command: String => String) = changedAlike(create(mode, version), names)(command)

    test(s"$mode, format $version") {
      joined(broadcast = false)(assertOneFile(changed(merge(_, both))))
      joined(broadcast = true) {
        assertOneFile(changed(merge(_, Matched)))
        assertOneFile(changed(t => s"DELETE FROM $t WHERE id IN (SELECT id FROM few)"))
      }
    }
  }

  test("MERGE that only inserts, and UPDATE with EXISTS") {
    def changed(command: String => String) = changedAlike(create("merge-on-read"), names)(command)
    joined(broadcast = false) {
      assertOneFile(changed(merge(_, NotMatched)))
      assertOneFile(changed(t =>
        s"UPDATE $t SET s = 'u' WHERE EXISTS (SELECT * FROM few WHERE few.id = $t.id)"))
    }
  }

  test("what is declined") {
    withTable(T) {
      create("merge-on-read")(T)
      def declined(clauses: String, source: String, reason: Reason): Unit =
        assertWhole(pruned { sql(merge(T, clauses, source)); () }, reason)
      joined(broadcast = false) {
        val gone = s"$both WHEN NOT MATCHED BY SOURCE AND t.id > 15000 THEN DELETE"
        declined(gone, "few", Reason.PreservedSide)
        val random = "(SELECT id, s FROM few WHERE rand() * 2 < 3)"
        declined(both, random, Reason.NonDeterministic)
        withConf(SieveConf.DYNAMIC_FILTER_MIN_TARGET_RATIO.key -> "1000000") {
          declined(both, "few", Reason.NotSelective)
        }
      }
    }
  }

  // What a copy-on-write scan does not read, the operation does not replace.
  test("copy-on-write: keys of _file do not narrow the scan") {
    def paths(name: String) = s"paths_of_${name.replace('.', '_')}"
    def noneOf(t: String) = s"""DELETE FROM $t AS x WHERE NOT EXISTS (
      SELECT * FROM ${paths(t)} p WHERE p.path = x._file)"""
    def fresh(name: String): Unit = {
      create("copy-on-write")(name)
      sql(s"""CREATE TABLE ${paths(name)} USING parquet AS
        SELECT file_path AS path FROM $name.files ORDER BY path LIMIT 1""")
      ()
    }
    withTable(names._1, paths(names._1), paths(names._2)) {
      if (!TestedLine.atLeast("4.1")) {
        fresh(names._1)
        // Spark does not resolve _file in 3.5, and Iceberg does not find its other columns in 4.0.
        withoutSieve(intercept[Exception](sql(noneOf(names._1))))
      } else joined(broadcast = true) {
        changedAlike(fresh, names)(noneOf)
      }
    }
  }

  test("a row with two partners is an error") {
    withTable(T) {
      create("merge-on-read")(T)
      joined(broadcast = false) {
        assertFails("MERGE_CARDINALITY_VIOLATION")(merge(T, Matched, Twice))
      }
    }
  }
}
