// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.types.{IntegerType, LongType}

/** Which predicates may be kept as they are. */
class LastingPredicateSuite extends AnyFunSuite {

  private val k = AttributeReference("k", LongType)()

  test("constants, columns and Spark's expressions are kept") {
    val plain = And(GreaterThan(Abs(k), Literal(1L)), InSet(k, Set(1L, 2L)))
    assert(LastingPredicate(plain) == plain)
  }

  test("functions and objects are kept as their text and columns") {
    val udf = ScalaUDF((x: Long) => x, LongType, Seq(k))
    val invoked = StaticInvoke(classOf[Math], IntegerType, "toIntExact", Seq(k))
    for (value <- Seq(udf, Cast(invoked, LongType))) {
      val kept = LastingPredicate(EqualTo(value, Literal(1L)))
      assert(kept.isInstanceOf[TextOfPredicate] && kept.references == AttributeSet(k))
    }
  }
}
