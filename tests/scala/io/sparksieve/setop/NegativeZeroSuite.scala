// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import io.sparksieve.report.core.Reason

/** Columns with the constant -0.0, of which DISTINCT makes 0.0, or not. */
class NegativeZeroSuite extends SetOpTest {

  private def queries(z: String) = Seq(
    s"SELECT a, $z z FROM t WHERE b = 1 UNION SELECT a, $z z FROM t",
    s"SELECT DISTINCT z FROM (SELECT a, $z z FROM t WHERE a < 2 UNION ALL SELECT a, $z z FROM t WHERE a > 5)",
    s"SELECT a, $z z FROM t WHERE b = 1 INTERSECT SELECT a, $z z FROM t WHERE a > 2",
    s"SELECT a, array($z) z FROM t EXCEPT SELECT a, array($z) z FROM t WHERE a > 2",
    s"SELECT DISTINCT a, z FROM (SELECT a, $z z FROM t) v WHERE a IN (SELECT a FROM t WHERE a > 2)"
  )

  private def reasons(query: String) =
    planned(sql(query))._2.filter(_.rule != "LowerUnsafeExcept").map(_.reason)

  test("the constant -0.0 is as without a rewrite") {
    for (z <- Seq("-0.0D", "cast(-0.0D AS FLOAT)", "(0.0D * -1)"); query <- queries(z)) {
      def texts(rows: Seq[Any]) = rows.map(_.toString).sorted
      assert(texts(sql(query).collect().toSeq) == texts(off(sql(query))), query)
      assert(reasons(query).contains(Some(Reason.MergedValues)), query)
      assert(!reasons(query).contains(None), query)
    }
  }

  test("other constants do not keep a set operation from being rewritten") {
    for (z <- Seq("0.0D", "-1.5D", "double('NaN')"); query <- queries(z))
      assert(reasons(query).contains(None), query)
  }
}
