// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.SparkFunSuite
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

/**
 * Expressions and plans that are written the same way, and expressions that Spark treats as the
 * same although their values may differ.
 */
class SameExpressionSuite extends SparkFunSuite {

  private val a = AttributeReference("a", DoubleType)()
  private val b = AttributeReference("b", DoubleType)()
  private val c = AttributeReference("c", DoubleType)()
  private val i = AttributeReference("i", IntegerType)()
  private val st = AttributeReference("st", StructType.fromDDL("x INT"))()

  private def lit(v: Any): Literal = Literal(v)
  private val text = (e: Expression) => Cast(e, StringType, Some("UTC"))

  test("the same classes, arguments and columns in the same order") {
    assert(SameExpression(Add(Add(a, b), c), Add(Add(a, b), c.withName("other"))))
    assert(SameExpression(Alias(a, "x")(), Alias(a, "y")()))
    assert(SameExpression(GreaterThan(a, b), LessThan(b, a)))
    assert(SameExpression(EqualTo(a, b), EqualTo(b, a)))
    assert(!SameExpression(GreaterThan(a, b), LessThan(a, b)))
    assert(!SameExpression(GreaterThan(a, b), GreaterThan(b, a)))
    assert(!SameExpression(GreaterThan(a, b), LessThanOrEqual(b, a)))
    assert(SameExpression(GetStructField(st, 0, Some("x")), GetStructField(st, 0, Some("X"))))
    for ((l, r) <- Seq[(Expression, Expression)](
        Add(Add(a, b), c) -> Add(a, Add(b, c)),
        Add(a, b) -> Add(b, a),
        Greatest(Seq(a, b)) -> Greatest(Seq(b, a)),
        And(IsNull(a), IsNull(b)) -> And(IsNull(b), IsNull(a)),
        Add(i, i, EvalMode.ANSI) -> Add(i, i, EvalMode.TRY),
        Cast(a, StringType, Some("UTC")) -> Cast(a, StringType, Some("CET")),
        Cast(a, IntegerType, None, EvalMode.ANSI) -> Cast(a, IntegerType, None, EvalMode.LEGACY),
        a -> a.newInstance(),
        IsNull(a) -> IsNotNull(a)
      )) assert(!SameExpression(l, r), s"$l $r")
  }

  test("literals bit by bit, also within others") {
    val nan = java.lang.Double.longBitsToDouble(0x7ff8000000000001L)
    def struct(v: Double) =
      Literal.create(InternalRow(v), new StructType().add("x", DoubleType))
    def long(v: Double) = InSet(a, Set[Any](v, 1.0))
    assert(SameExpression(lit(0.0), lit(0.0)) && SameExpression(lit(-0.0f), lit(-0.0f)))
    assert(SameExpression(struct(0.0), struct(0.0)) && SameExpression(long(0.0), long(0.0)))
    for ((l, r) <- Seq[(Expression, Expression)](
        lit(0.0) -> lit(-0.0),
        lit(0.0f) -> lit(-0.0f),
        lit(Double.NaN) -> lit(nan),
        lit(1) -> lit(1L),
        struct(0.0) -> struct(-0.0),
        long(0.0) -> long(-0.0),
        Multiply(a, lit(0.0)) -> Multiply(a, lit(-0.0)),
        In(a, Seq(lit(0.0))) -> In(a, Seq(lit(-0.0))),
        lit(null) -> lit(0)
      )) assert(!SameExpression(l, r), s"$l $r")
  }

  test("variables of lambda functions by their place") {
    def transform(body: (Expression, Expression) => Expression) = {
      val array = AttributeReference("array", ArrayType(IntegerType))(ExprId(7))
      val (x, y) =
        (NamedLambdaVariable("x", IntegerType, true), NamedLambdaVariable("y", IntegerType, true))
      ArrayTransform(array, LambdaFunction(body(x, y), Seq(x, y)))
    }
    assert(SameExpression(transform(Subtract(_, _)), transform(Subtract(_, _))))
    assert(!SameExpression(transform(Subtract(_, _)), transform((x, y) => Subtract(y, x))))
  }

  test("what Spark takes for the same") {
    def taken(l: Expression, r: Expression) = {
      assert(TakenForSame(Seq(l), Seq(r)) == TakenForSame(Seq(r), Seq(l)))
      TakenForSame(Seq(l), Seq(r))
    }
    val (one, other) = (Add(Add(a, b), c), Add(a, Add(b, c)))
    assert(taken(one, other))
    assert(taken(GreaterThan(one, lit(1.0)), LessThan(other, lit(1.0))))
    assert(taken(IsNull(a), And(IsNull(b), GreaterThan(other, one))) == false)
    assert(taken(text(Multiply(a, lit(0.0))), text(Multiply(a, lit(-0.0)))))
    assert(taken(In(a, Seq(lit(0.0))), In(a, Seq(lit(-0.0), lit(1.0)))))
    assert(taken(Greatest(Seq(a, b)), Greatest(Seq(b, a))))
    // These have the same values: operands are swapped in a comparison or in a sum of two.
    assert(!taken(GreaterThan(a, b), LessThan(b, a)))
    assert(!taken(And(IsNull(a), GreaterThan(a, b)), And(LessThan(b, a), IsNull(a))))
    assert(!taken(Add(a, b), Add(b, a)))
    assert(!taken(one, one) && !taken(Add(a, b), Add(a, c)))
  }

  test("plans: the same operators with the same arguments, by the columns of each") {
    def leaf = LocalRelation(a.newInstance(), b.newInstance(), c.newInstance())
    def plan(sum: Seq[Attribute] => Expression): LogicalPlan = {
      val l = leaf
      val named = Alias(sum(l.output), "s")()
      Aggregate(
        Seq(named.toAttribute),
        Seq(named.toAttribute),
        SubqueryAlias("x", Project(Seq(named), l)))
    }
    def same(l: LogicalPlan, r: LogicalPlan) =
      SamePlan(l, r)((x, y) => Some(AttributeMap(y.output.zip(x.output))))
    def left(o: Seq[Attribute]) = Add(Add(o(0), o(1)), o(2))
    val (one, two) = (plan(left), plan(left))
    assert(same(one, two).exists(_.get(two.output.head).exists(_.exprId == one.output.head.exprId)))
    assert(same(one, plan(o => Add(o(0), Add(o(1), o(2))))).isEmpty)
    assert(same(one, plan(o => Add(Add(o(1), o(0)), o(2)))).isEmpty)
    assert(same(one, Distinct(two)).isEmpty)
    assert(
      same(Except(one, two, isAll = true), Except(plan(left), plan(left), isAll = false)).isEmpty)
    assert(
      same(Except(one, two, isAll = true), Except(plan(left), plan(left), isAll = true)).nonEmpty)
  }
}
