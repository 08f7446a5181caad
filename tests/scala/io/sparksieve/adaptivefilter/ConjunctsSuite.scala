// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import io.sparksieve.adaptivefilter.predicate.{Conjuncts, Precedence}

/** The order of predicates and NULL checks, and conditions for which no order is right. */
class ConjunctsSuite extends AnyFunSuite {

  private val a = AttributeReference("a", LongType)()
  private val b = AttributeReference("b", LongType)()
  private val s = AttributeReference("s", StringType)()
  private val input = Seq(a, b, s)

  private val cheap = EqualTo(s, Literal("x"))
  private val number = Cast(s, LongType, None, EvalMode.ANSI)
  private val fallible = GreaterThan(number, Literal(1L))
  private val trial = IsNotNull(Cast(s, LongType, None, EvalMode.TRY))

  private def condition(parts: Expression*) = parts.reduce(And(_, _))

  private def of(parts: Expression*) = Conjuncts.of(condition(parts: _*), input)

  private def differ(parts: Expression*) = Conjuncts.differ(condition(parts: _*), input)

  test("what can fail waits for the checks that are written before it, and only for these") {
    assert(of(IsNotNull(a), fallible, cheap).head.notNull == Seq(a))
    assert(of(fallible, IsNotNull(a), cheap).head.notNull.isEmpty)
    // A predicate that cannot fail runs after the checks of its own columns, wherever those appear.
    assert(of(cheap, IsNotNull(s)).head.notNull == Seq(s))
    assert(of(IsNotNull(a), cheap).map(_.predicate) == Seq(cheap, IsNotNull(a)))
  }

  test("a check that can fail comes last, and guards nothing that can fail") {
    assert(of(trial, cheap).map(_.predicate) == Seq(cheap, trial))
    assert(!differ(trial, cheap) && !differ(fallible, trial))
    assert(differ(trial, fallible))
    assert(differ(trial, EqualTo(Rand(Literal(1L)), Literal(0.5))))
  }

  test("a check that a predicate implies is left out, unless it guards another") {
    val check = IsNotNull(number)
    assert(of(check, fallible, cheap).map(_.predicate) == Seq(fallible, cheap))
    assert(!differ(check, fallible, cheap))
    val other = GreaterThan(Cast(s, IntegerType, None, EvalMode.ANSI), Literal(1))
    assert(of(check, other, fallible).map(_.predicate).last == check)
    assert(differ(check, other, fallible))
  }

  test("a random predicate is evaluated for the same rows in both ways") {
    val random = LessThan(Rand(Literal(1L)), Literal(0.5))
    val positive = GreaterThan(a, Literal(0L))
    assert(!differ(random, cheap))
    assert(!differ(IsNotNull(a), positive, random))
    // Whole-stage code runs this check after the random predicate.
    assert(differ(IsNotNull(a), random))
    // Without whole-stage code generation, a NULL does not end the evaluation.
    assert(differ(positive, random))
    // Only whole-stage code runs the check before the predicates.
    assert(differ(positive, random, IsNotNull(a)))
  }

  test("a match that may be slow stays behind the predicates on its string") {
    val slow = RLike(s, Literal("a+b"))
    val short = LessThan(Length(s), Literal(100))
    val other = GreaterThan(a, Literal(0L))
    def behind(parts: Expression*) = of(parts: _*).map(_.staysBehind)
    assert(behind(short, slow) == Seq(false, true))
    assert(behind(other, short, Like(s, Literal("%a%b%"), '\\')) == Seq(false, false, true))
    assert(!Precedence.of(of(short, slow)).mayMove)
    // Written first, on another column, or of linear time.
    assert(behind(slow, short) == Seq(false, false))
    assert(behind(other, slow) == Seq(false, false))
    assert(behind(IsNotNull(s), fallible, slow).last)
    val onOther = GreaterThan(Cast(a, IntegerType, None, EvalMode.ANSI), Literal(1))
    assert(!behind(IsNotNull(s), onOther, slow).last)
    assert(behind(short, RLike(s, Literal("^a+b"))) == Seq(false, false))
    assert(behind(short, Like(s, Literal("%a%"), '\\')) == Seq(false, false))
    // The first match takes as long for a long string as the second.
    assert(behind(slow, RLike(s, Literal("b+c"))) == Seq(false, false))
    // An OR evaluates the match only for strings of which no part before it is true.
    val parts = of(Or(Or(Not(short), slow), other)).head.exclusions
    assert(parts.map(_.staysBehind) == Seq(false, true, false))
  }
}
