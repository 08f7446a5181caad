// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

/** Join keys that are computed with a scalar subquery, which must end before keys are collected. */
class SubqueryKeysSuite extends DynamicFilterTest {

  test("a key of the creation side") {
    shuffled {
      val ran = assertFiltered(sql("""SELECT big.id, small.dept FROM big JOIN small
        ON big.id = small.id + (SELECT min(dept) FROM small) WHERE small.dept = 7"""))
      assert(ran.rows.nonEmpty && ran.keys == Seq(10L), ran.plan)
    }
  }
}
