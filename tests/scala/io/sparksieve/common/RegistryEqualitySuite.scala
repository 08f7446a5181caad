// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.nio.file.{Files, Path, Paths}

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.util.{ArrayData, TypeUtils}
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.TestedLine

/**
 * Tests the claims of [[RespectsEquality]] for every function of Spark's registry on pairs of equal
 * values: the results must be equal, or both calls must fail. The claims are in
 * `tests/golden/functions/equality.out`, one line for each function. The suite fails for a function
 * that Spark adds, until somebody reviews its line. `SIEVE_REGENERATE_GOLDEN=1` writes the file.
 */
class RegistryEqualitySuite extends QueryTest with SharedSparkSession {

  private val golden: Path = Paths.get("tests", "golden", "functions", "equality.out")
  private val nan = java.lang.Double.longBitsToDouble(0x7ff8000000000001L)
  private val floatNan = java.lang.Float.intBitsToFloat(0x7fc00001)

  private val doubles = Seq(0.0 -> -0.0, Double.NaN -> nan, 1.5 -> 1.5)

  private def collated(name: String) =
    sql(s"SELECT 'a' COLLATE $name AS c").schema.head.dataType

  private def texts(pairs: (String, String)*): Seq[(Any, Any)] =
    pairs.map { case (a, b) => UTF8String.fromString(a) -> UTF8String.fromString(b) }

  /** Columns of types whose equality merges distinct values, each with pairs of equal values. */
  private lazy val pairs: Seq[(Attribute, Seq[(Any, Any)])] = {
    def column(name: String, t: DataType) = AttributeReference(name, t)()
    val plain = Seq[(Attribute, Seq[(Any, Any)])](
      column("double", DoubleType) -> doubles,
      column("float", FloatType) -> Seq(0.0f -> -0.0f, Float.NaN -> floatNan),
      column("array", ArrayType(DoubleType)) -> doubles.map { case (a, b) =>
        ArrayData.toArrayData(Array(a, 1.0)) -> ArrayData.toArrayData(Array(b, 1.0))
      },
      column("struct", new StructType().add("x", DoubleType).add("y", IntegerType)) ->
        doubles.map { case (a, b) => InternalRow(a, 1) -> InternalRow(b, 1) }
    )
    if (!TestedLine.atLeast("4.0")) plain
    else
      plain ++ Seq[(Attribute, Seq[(Any, Any)])](
        column("lcase", collated("UTF8_LCASE")) -> texts(
          "a" -> "A",
          "nan" -> "NaN",
          "1e1" -> "1E1"),
        column("rtrim", collated("UTF8_BINARY_RTRIM")) -> texts("a" -> "a ", "1" -> "1  ")
      )
  }

  private lazy val calls: Map[String, Seq[(Attribute, Expression)]] =
    RegistryExpressions.names
      .map(name => name -> RegistryExpressions.calls(spark, name, pairs.map(_._1)))
      .toMap

  private lazy val claimed: Map[String, Seq[(Attribute, Expression)]] =
    calls.map { case (name, found) => name -> found.filter(c => RespectsEquality(c._2)) }

  private def same(t: DataType)(left: Any, right: Any): Boolean = t match {
    case _ if left == null || right == null => left == null && right == null
    case s: StructType =>
      s.indices.forall { i =>
        def field(v: Any) = v.asInstanceOf[InternalRow].get(i, s(i).dataType)
        same(s(i).dataType)(field(left), field(right))
      }
    case ArrayType(element, _) =>
      def items(v: Any) = v.asInstanceOf[ArrayData].toSeq[Any](element)
      items(left).length == items(right).length &&
      items(left).zip(items(right)).forall { case (a, b) => same(element)(a, b) }
    case orderable if RowOrdering.isOrderable(orderable) =>
      TypeUtils.getInterpretedOrdering(orderable).equiv(left, right)
    case _ => left == right
  }

  /** The difference between the results for two equal values, if there is one. */
  private def difference(e: Expression, column: Attribute, left: Any, right: Any) = {
    val bound = BindReferences.bindReference(e, AttributeSeq(Seq(column)))
    def value(v: Any) = Try {
      val copy = bound.freshCopyIfContainsStatefulExpression()
      copy.foreach {
        case n: Nondeterministic => n.initialize(0)
        case _ =>
      }
      copy.eval(InternalRow(v))
    }
    (value(left), value(right)) match {
      case (Success(a), Success(b)) if same(e.dataType)(a, b) => None
      case (Failure(_), Failure(_)) => None
      case (a, b) => Some(s"$e gives $a for $left and $b for $right")
    }
  }

  test("what is claimed to respect the equality does") {
    val wrong = for {
      (_, found) <- claimed.toSeq
      (column, e) <- found
      (left, right) <- pairs.find(_._1 eq column).get._2
      why <- difference(e, column, left, right)
    } yield why
    assert(wrong.isEmpty, wrong.take(20).mkString("\n"))
    assert(claimed.values.map(_.length).sum > 200, "too little is claimed to prove anything")
  }

  test("the test sees what does not") {
    val (column, values) = pairs.head
    assert(difference(Cast(column, StringType), column, values.head._1, values.head._2).nonEmpty)
  }

  test("casts that are claimed") {
    val types = Seq(
      BooleanType,
      ByteType,
      IntegerType,
      LongType,
      FloatType,
      DoubleType,
      StringType,
      DecimalType(10, 2),
      BinaryType,
      DateType,
      TimestampType,
      ArrayType(FloatType),
      ArrayType(StringType),
      new StructType().add("x", FloatType).add("y", StringType)
    )
    val modes = Seq(EvalMode.ANSI, EvalMode.LEGACY, EvalMode.TRY)
    val wrong = for {
      (column, values) <- pairs
      to <- types
      mode <- modes
      cast = Cast(column, to, Some("UTC"), mode)
      if cast.checkInputDataTypes().isSuccess && RespectsEquality(cast)
      (left, right) <- values
      why <- difference(cast, column, left, right)
    } yield why
    assert(wrong.isEmpty, wrong.mkString("\n"))
  }

  test("each function has been looked at") {
    val actual = RegistryExpressions.names.map { name =>
      val columns = claimed(name).map(_._1.name).distinct.sorted
      val verdict =
        if (calls(name).isEmpty) "no call"
        else if (columns.isEmpty) "no"
        else columns.mkString(", ")
      s"$name: $verdict"
    }
    if (sys.env.get("SIEVE_REGENERATE_GOLDEN").contains("1")) {
      Files.createDirectories(golden.getParent)
      Files.write(golden, actual.mkString("", "\n", "\n").getBytes("UTF-8"))
    } else {
      val known = new String(Files.readAllBytes(golden), "UTF-8").linesIterator.toSet
      // The file is for Spark 4.2; other lines resolve the same functions to other expressions.
      val bad =
        if (TestedLine.is("4.2")) {
          actual.filterNot(known) ++ known.diff(actual.toSet)
        } else {
          val names = known.map(claim(_)._1)
          actual.map(claim).collect { case (name, c) if c.nonEmpty && !names(name) => name }
        }
      assert(bad.isEmpty, bad.mkString("\n"))
    }
  }

  /** The function of a line, and the columns for which the line makes a claim. */
  private def claim(line: String): (String, Set[String]) = {
    val end = line.lastIndexOf(": ")
    val columns = line.drop(end + 2).split(", ").toSet
    (line.take(end), columns -- Set("no", "no call"))
  }
}
