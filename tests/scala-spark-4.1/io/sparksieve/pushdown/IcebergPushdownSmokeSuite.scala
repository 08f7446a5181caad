// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import io.sparksieve.IcebergSession
import io.sparksieve.report.core.NotPushedReason

/** Iceberg tables: the table answers predicates on partitions; others skip files and row groups. */
class IcebergPushdownSmokeSuite extends PushdownTest with IcebergSession {

  test("what the table answers, what it skips by, and what it declines") {
    withTable("ice.db.t") {
      sql("CREATE TABLE ice.db.t (a INT, s STRING, p INT) USING iceberg PARTITIONED BY (p)")
      sql("INSERT INTO ice.db.t VALUES (1, 'x', 1), (2, 'y', 2)")
      assertSaid(sql("SELECT * FROM ice.db.t WHERE p = 1"))("p = 1: pushed")
      assertSaid(sql("SELECT * FROM ice.db.t WHERE a > 1"))("a > 1: pushed, spark")
      spark.udf.register("plus", (x: Int) => x + 1)
      assertLeft(NotPushedReason.Udf, "plus")(sql("SELECT * FROM ice.db.t WHERE plus(a) = 2"))
      assertLeft(NotPushedReason.SourceDeclines)(sql("SELECT * FROM ice.db.t WHERE a + 1 = 2"))
      val scan = explained(sql("SELECT * FROM ice.db.t WHERE p = 1")).head
      assert((scan.source, scan.place) == (("iceberg", "ice.db.t")))
    }
  }
}
