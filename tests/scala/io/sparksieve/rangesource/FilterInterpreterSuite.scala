// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.connector.expressions.{
  Expression,
  Expressions,
  Literal,
  NamedReference,
  filter => v2
}
import org.apache.spark.sql.sources
import org.apache.spark.sql.types.{DataType, Decimal, DecimalType, IntegerType, LongType, NullType}

/** Filters of both interfaces, against a reference that evaluates each record with SQL's NULLs. */
class FilterInterpreterSuite extends AnyFunSuite {

  /** A filter that can be evaluated, and translated to the filters of both interfaces. */
  private sealed trait Tree
  private case class Compare(op: String, column: String, value: Option[BigInt]) extends Tree
  private case class OneOf(column: String, values: Seq[Option[BigInt]]) extends Tree
  private case class Missing(column: String) extends Tree
  private case class Both(left: Tree, right: Tree) extends Tree
  private case class Either(left: Tree, right: Tree) extends Tree
  private case class Negated(child: Tree) extends Tree
  private case class Constant(value: Boolean) extends Tree

  /** A filter that the source does not know and leaves to Spark. */
  private case class Strange(column: String) extends Tree

  private val columns = Seq("val", "squared", "cubed")
  private val operators = Seq("=", "<>", "<=>", "<", "<=", ">", ">=")

  private def of(column: String, key: Int): BigInt =
    BigInt(key).pow(columns.indexOf(column) + 1)

  /** The value of `tree` for the record of `key`; None is NULL. */
  private def eval(tree: Tree, key: Int): Option[Boolean] = tree match {
    case Compare("<=>", _, None) => Some(false)
    case Compare(_, _, None) => None
    case Compare(op, column, Some(value)) =>
      val c = of(column, key).compare(value)
      Some(op match {
        case "=" | "<=>" => c == 0
        case "<>" => c != 0
        case "<" => c < 0
        case "<=" => c <= 0
        case ">" => c > 0
        case ">=" => c >= 0
      })
    case OneOf(column, values) =>
      if (values.flatten.contains(of(column, key))) Some(true)
      else if (values.contains(None)) None
      else Some(false)
    case Missing(_) => Some(false)
    case Both(l, r) =>
      (eval(l, key), eval(r, key)) match {
        case (Some(false), _) | (_, Some(false)) => Some(false)
        case (Some(true), Some(true)) => Some(true)
        case _ => None
      }
    case Either(l, r) => eval(Negated(Both(Negated(l), Negated(r))), key)
    case Negated(child) => eval(child, key).map(!_)
    case Constant(value) => Some(value)
    // An arbitrary choice: even keys pass.
    case Strange(_) => Some(key % 2 == 0)
  }

  private def number(column: String, value: BigInt): Any =
    if (column == "val" && value.isValidInt) value.toInt
    else if (value.isValidLong) value.toLong
    else BigDecimal(value).bigDecimal

  private def toV1(tree: Tree): sources.Filter = tree match {
    case Compare(op, column, value) =>
      val v = value.map(number(column, _)).orNull
      op match {
        case "=" => sources.EqualTo(column, v)
        case "<>" => sources.Not(sources.EqualTo(column, v))
        case "<=>" => sources.EqualNullSafe(column, v)
        case "<" => sources.LessThan(column, v)
        case "<=" => sources.LessThanOrEqual(column, v)
        case ">" => sources.GreaterThan(column, v)
        case ">=" => sources.GreaterThanOrEqual(column, v)
      }
    case OneOf(column, values) =>
      sources.In(column, values.map(_.map(number(column, _)).orNull).toArray)
    case Missing(column) => sources.IsNull(column)
    case Both(l, r) => sources.And(toV1(l), toV1(r))
    case Either(l, r) => sources.Or(toV1(l), toV1(r))
    case Negated(Missing(column)) => sources.IsNotNull(column)
    case Negated(child) => sources.Not(toV1(child))
    case Constant(true) => sources.AlwaysTrue()
    case Constant(false) => sources.AlwaysFalse()
    case Strange(column) => sources.StringEndsWith(column, "x")
  }

  private case class Value(value: Any, dataType: DataType) extends Literal[Any]

  private def literal(column: String, value: Option[BigInt]): Expression =
    value.map(number(column, _)) match {
      case None => Value(null, if (column == "val") IntegerType else NullType)
      case Some(i: Int) => Value(i, IntegerType)
      case Some(l: Long) => Value(l, LongType)
      case Some(d: java.math.BigDecimal) =>
        Value(Decimal(BigDecimal(d), 38, 0), DecimalType(38, 0))
      case other => fail(s"$other")
    }

  private def reference(column: String): NamedReference = Expressions.column(column)

  private def toV2(tree: Tree): v2.Predicate = tree match {
    case Compare(op, column, value) =>
      val sides = Array[Expression](reference(column), literal(column, value))
      val flipped = Map("<" -> ">", ">" -> "<", "<=" -> ">=", ">=" -> "<=")
      // Put the literal first for a third of the values.
      if (value.exists(_ % 3 == 0)) new v2.Predicate(flipped.getOrElse(op, op), sides.reverse)
      else new v2.Predicate(op, sides)
    case OneOf(column, values) =>
      new v2.Predicate("IN", (reference(column) +: values.map(literal(column, _))).toArray)
    case Missing(column) => new v2.Predicate("IS_NULL", Array[Expression](reference(column)))
    case Both(l, r) => new v2.And(toV2(l), toV2(r))
    case Either(l, r) => new v2.Or(toV2(l), toV2(r))
    case Negated(Missing(column)) =>
      new v2.Predicate("IS_NOT_NULL", Array[Expression](reference(column)))
    case Negated(child) => new v2.Not(toV2(child))
    case Constant(true) => new v2.AlwaysTrue
    case Constant(false) => new v2.AlwaysFalse
    case Strange(column) =>
      new v2.Predicate(
        "ENDS_WITH",
        Array[Expression](reference(column), literal("squared", Some(1))))
  }

  private final class Dice(seed: Int, rows: Int, strange: Boolean) {
    private val random = new Random(seed)

    private def oneOf[T](values: Seq[T]): T = values(random.nextInt(values.size))

    private def value(column: String): Option[BigInt] = {
      val key = random.nextInt(rows + 4) - 1
      val extremes = Seq[BigInt](Int.MinValue, Int.MaxValue, 0, -1) ++
        (if (column == "val") Nil
         else Seq(BigInt(Long.MinValue), BigInt(Long.MaxValue), BigInt(10).pow(37)))
      random.nextInt(10) match {
        case 0 => None
        case 1 => Some(oneOf(extremes))
        case _ => Some(of(column, key) + random.nextInt(3) - 1)
      }
    }

    def tree(depth: Int): Tree = {
      val column = oneOf(columns)
      random.nextInt(if (depth == 0) 5 else 12) match {
        case 0 => OneOf(column, Seq.fill(random.nextInt(6))(value(column)))
        case 1 if random.nextInt(4) == 0 => Missing(column)
        case 2 if random.nextInt(4) == 0 => Constant(random.nextBoolean())
        case 3 if strange => Strange(column)
        case n if n < 6 => Compare(oneOf(operators), column, value(column))
        case n if n < 8 => Both(tree(depth - 1), tree(depth - 1))
        case n if n < 10 => Either(tree(depth - 1), tree(depth - 1))
        case _ => Negated(tree(depth - 1))
      }
    }
  }

  private val tables = Seq(0, 1, 2, 7, 20)

  private def options(rows: Int, pushdown: Pushdown) =
    RangeDbOptions(rows, 3, pushdown, nested = false)

  for {
    pushdown <- Pushdown.All
    strange <- Seq(false, true)
  } test(
    s"random trees, ${pushdown.name}${if (strange) ", with filters no source knows" else ""}") {
    var nontrivial = 0
    for (seed <- 1 to 4000) {
      val rows = tables(seed % tables.size)
      val dice = new Dice(seed, rows, strange)
      val trees = Seq.fill(1 + seed % 3)(dice.tree(seed % 5))
      val passing = (1 to rows).filter(k => trees.forall(eval(_, k).contains(true)))
      val wanted = options(rows, pushdown)
      val v1 = FilterInterpreter.v1(trees.map(toV1), wanted)
      val v2 = FilterInterpreter.v2(trees.map(toV2), wanted)
      val clue = s"seed $seed: $trees"
      check(v1.result, trees, v1.residual.map(v1.filters.indexOf(_)), passing, rows, clue)
      check(v2.result, trees, v2.residual.map(v2.filters.indexOf(_)), passing, rows, clue)
      assert(v1.result.copy(layers = Nil) == v2.result.copy(layers = Nil), clue)
      if (passing.nonEmpty && passing.size < rows) nontrivial += 1
      if (pushdown != Pushdown.Push)
        assert(v1.result.ranges == wanted.allKeys, clue)
      if (pushdown == Pushdown.Leave)
        assert(v1.residual == v1.filters && v1.used.isEmpty, clue)
    }
    assert(nontrivial > 400)
  }

  private def check(
      result: Interpretation,
      trees: Seq[Tree],
      residual: Seq[Int],
      passing: Seq[Int],
      rows: Int,
      clue: String): Unit = {
    assertWellFormed(result.ranges, rows, clue)
    val returned = result.ranges.ranges
      .flatMap(r => RangeDb(rows).records(Some(r.low.toInt), Some(r.high.toInt)))
      .filter(r => result.evaluated.forall(_.holds(r)))
      .map(_.key)
    val left = residual.map(trees)
    assert(returned.filter(k => left.forall(eval(_, k).contains(true))) == passing, clue)
    result.exact.foreach { keys =>
      assertWellFormed(keys, rows, clue)
      assert(keys.ranges.flatMap(r => r.low to r.high) == passing, clue)
    }
    assert(result.exact.isEmpty == residual.nonEmpty, clue)
    assert(result.layers.size == trees.size, clue)
  }

  private def assertWellFormed(set: RangeSet, rows: Int, clue: String): Unit = {
    assert(set.ranges.forall(r => r.low <= r.high && r.low >= 1 && r.high <= rows), s"$set $clue")
    assert(
      set.ranges.zip(set.ranges.drop(1)).forall { case (a, b) => a.high + 1 < b.low },
      s"$set $clue")
  }

  private def pushed(tree: Tree*): Interpretation =
    FilterInterpreter.v1(tree.map(toV1), options(50, Pushdown.Push)).result

  private def compare(op: String, value: Int, column: String = "val") =
    Compare(op, column, Some(BigInt(value)))

  test("the tightest bound counts, contradictions request nothing") {
    assert(pushed(compare("<=", 40), compare("<", 30), compare(">", 5)).ranges == RangeSet(6, 29))
    assert(pushed(compare("<", 5), compare(">", 5)).ranges.isEmpty)
    assert(pushed(compare("=", 5), compare("<>", 5)).ranges.isEmpty)
    assert(pushed(compare(">", Int.MaxValue)).ranges.isEmpty)
    assert(pushed(compare("<", Int.MinValue)).ranges.isEmpty)
    assert(pushed(compare(">=", Int.MinValue)).ranges == RangeSet(1, 50))
  }

  test("OR, IN and <> are disjoint ranges, and neighbours are one") {
    val list = OneOf("val", Seq(9, 3, 4, 3, 60).map(v => Some(BigInt(v))))
    assert(pushed(list).ranges.toString == "[3..4, 9]")
    assert(pushed(Negated(list)).ranges.toString == "[1..2, 5..8, 10..50]")
    assert(pushed(compare("<>", 7)).ranges.toString == "[1..6, 8..50]")
    val either = Either(compare("<", 5), Either(compare(">", 45), compare("=", 5)))
    assert(pushed(either).ranges.toString == "[1..5, 46..50]")
    assert(pushed(either).filters(EvaluatedBy.Engine).size == 1)
  }

  test("a huge IN, of keys and of squares") {
    val rows = 3000000
    val wanted = options(rows, Pushdown.Push)
    val values = (1 to 200000).map(_ * 7)
    val keys = FilterInterpreter.v1(Seq(sources.In("val", values.toArray[Any])), wanted).result
    assert(keys.ranges.size == 200000 && keys.ranges.ranges.size == 200000)
    assert(keys.ranges.contains(7) && !keys.ranges.contains(8) && keys.ranges.contains(1400000))
    val squares = sources.In("squared", values.map(v => v.toLong * v).toArray[Any])
    val squared = FilterInterpreter.v1(Seq(squares), wanted).result
    assert(squared.ranges == wanted.allKeys && squared.exact.contains(keys.ranges))
  }

  test("ORs of many parts, nested as deep") {
    val wide = (1 to 2000).map(k => compare("=", k * 2)).reduceLeft[Tree](Either(_, _))
    val result = FilterInterpreter.v1(Seq(toV1(wide)), options(5000, Pushdown.Push)).result
    assert(result.ranges.size == 2000)
    val negated =
      FilterInterpreter.v1(Seq(toV1(Negated(wide))), options(5000, Pushdown.Push)).result
    assert(negated.ranges.size == 3000)
    assert(result.toString.length < 1000 && negated.toString.length < 1000)
  }

  test("what of an OR or AND is left to Spark narrows the ranges nevertheless") {
    val some = Either(Both(compare("<=", 10), Strange("val")), compare("=", 20))
    val result = pushed(some)
    assert(result.ranges.toString == "[1..10, 20]")
    assert(result.exact.isEmpty && result.filters(EvaluatedBy.Spark).size == 1)
    val interpreter = FilterInterpreter.v1(Seq(toV1(some)), options(50, Pushdown.Push))
    assert(interpreter.used == interpreter.filters && interpreter.residual == interpreter.filters)
    assert(pushed(Strange("val")).ranges == RangeSet(1, 50))
    assert(FilterInterpreter.v1(Seq(toV1(Strange("val"))), options(50, Pushdown.Push)).used.isEmpty)
  }

  test("columns and literals that the source does not have are left to Spark") {
    val wanted = options(50, Pushdown.Push)
    for (filter <- Seq(
        sources.EqualTo("other", 1),
        sources.EqualTo("data.squared", 1L),
        sources.IsNull("other"),
        sources.EqualTo("val", "1"),
        sources.EqualTo("val", 1.0),
        sources.In("val", Array[Any](1, "2")),
        sources.StringStartsWith("val", "1")
      )) {
      val interpreter = FilterInterpreter.v1(Seq(filter), wanted)
      assert(interpreter.residual == Seq(filter), filter)
      assert(interpreter.result.ranges == wanted.allKeys, filter)
    }
  }

  test("decimals between two numbers") {
    val wanted = options(50, Pushdown.Push)
    def bounds(filter: sources.Filter) = FilterInterpreter.v1(Seq(filter), wanted).result.exact.get
    val half = new java.math.BigDecimal("6.5")
    assert(bounds(sources.LessThan("val", half)) == RangeSet(1, 6))
    assert(bounds(sources.LessThanOrEqual("val", half)) == RangeSet(1, 6))
    assert(bounds(sources.GreaterThan("val", half)) == RangeSet(7, 50))
    assert(bounds(sources.GreaterThanOrEqual("val", half)) == RangeSet(7, 50))
    assert(bounds(sources.EqualTo("val", half)).isEmpty)
    assert(bounds(sources.Not(sources.EqualTo("val", half))) == RangeSet(1, 50))
    assert(bounds(sources.EqualTo("val", new java.math.BigDecimal("6.00"))) == RangeSet(6, 6))
    assert(bounds(sources.LessThan("squared", half)) == RangeSet(1, 2))
  }

  test("roots near the ends of the types") {
    val rows = Int.MaxValue
    for {
      column <- RangeColumn.All
      key <- Seq(1, 2, 3, 1000000, 2097151, 2097152, 94906265, 94906266, rows - 1, rows)
    } {
      val value = BigInt(key).pow(column.power)
      assert(column.keysUpTo(value.bigInteger, rows) == key, s"$column $key")
      assert(column.keysUpTo((value - 1).bigInteger, rows) == key - 1, s"$column $key")
      assert(
        column.keysUpTo((value + 1).bigInteger, rows) == (if (column.power == 1)
                                                            math.min(rows.toLong, key + 1L)
                                                          else key).toLong,
        s"$column $key")
    }
  }
}
