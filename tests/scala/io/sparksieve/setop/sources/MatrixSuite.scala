// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import org.apache.spark.sql.catalyst.expressions.CodegenObjectFactoryMode._
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest

/**
 * One query of each kind, with adaptive execution, code generation and ANSI mode on and off. Code
 * that does not compile raises an error here, instead of a fallback to interpreted evaluation.
 */
class MatrixSuite extends SieveTest {

  private val queries = Seq(
    "SELECT a, c FROM t WHERE b < 3 EXCEPT SELECT a, c FROM t WHERE c = 1",
    "SELECT a, c FROM t EXCEPT ALL (SELECT a, c FROM t WHERE c = 1 UNION ALL SELECT a, c FROM t WHERE a > 4)",
    "SELECT a, c FROM t WHERE b < 3 INTERSECT ALL SELECT a, c FROM t WHERE c = 1",
    "SELECT a, c FROM t WHERE b < 3 UNION SELECT a, c FROM t WHERE c = 1",
    "SELECT a, c FROM t WHERE b < 3 EXCEPT ALL SELECT a, c FROM t WHERE b = 1",
    "SELECT * FROM t l WHERE NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0)",
    "SELECT * FROM t WHERE c > 0 AND (c IN (SELECT c FROM t WHERE c > 1) OR a = 1)",
    "SELECT a, try_divide(a, c) FROM t WHERE c IS NULL OR c > 0 EXCEPT SELECT a, try_divide(a, c) FROM t WHERE a % 4 > 1"
  )

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TABLE t USING parquet AS
      SELECT cast(id % 7 AS INT) a, cast(id % 5 AS INT) b,
             CASE WHEN id % 11 = 0 THEN NULL ELSE cast(id % 3 AS INT) END c
      FROM range(100)""")
  }

  for (ansi <- Seq(true, false)) {
    lazy val expected = queries.map(text => text -> off(sql(text)))
    for {
      adaptive <- Seq(true, false)
      codegen <- Seq(true, false)
    } test(s"ANSI $ansi, adaptive execution $adaptive, code generation $codegen") {
      withSQLConf(SQLConf.ANSI_ENABLED.key -> ansi.toString) {
        expected // Evaluated here, before the other settings apply.
        withSQLConf(
          SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString,
          SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen.toString,
          SQLConf.CODEGEN_FALLBACK.key -> "false",
          SQLConf.CODEGEN_FACTORY_MODE.key -> (if (codegen) CODEGEN_ONLY else NO_CODEGEN).toString
        ) {
          for ((text, rows) <- expected) {
            withClue(text) {
              val (plan, entries) = planned(sql(text))
              assert(entries.exists(_.reason.isEmpty), s"$entries\n$plan")
              checkAnswer(sql(text), rows)
            }
          }
        }
      }
    }
  }
}
