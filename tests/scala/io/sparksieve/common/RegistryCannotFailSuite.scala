// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Try}

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateMutableProjection
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types._

import io.sparksieve.TestedLine

/**
 * Tests the claims of [[CannotFail]] for every function of Spark's registry and for all casts, on
 * extreme values of every type, with interpreted evaluation and generated code, with ANSI mode on
 * and off.
 *
 * The claims are in `tests/golden/functions/cannot-fail.txt`, one line for each function of any
 * Spark line. The suite fails for a function without a line, until somebody reviews the function
 * and adds its line with `SIEVE_REGENERATE_GOLDEN=1`. The claims are compared on Spark 4.2 only,
 * because other lines resolve other calls.
 */
class RegistryCannotFailSuite extends QueryTest with SharedSparkSession {

  private val golden: Path = Paths.get("tests", "golden", "functions", "cannot-fail.txt")
  private val regenerate = sys.env.get("SIEVE_REGENERATE_GOLDEN").contains("1")

  private lazy val values: Seq[(Attribute, Seq[Any])] = ExtremeValues.of(spark)
  private lazy val twins: Map[Attribute, Attribute] = values.map { case (a, _) =>
    a -> AttributeReference("twin", a.dataType)()
  }.toMap

  /** The calls of each function, with ANSI mode on and off. */
  private lazy val calls: Map[String, Seq[(Attribute, Expression)]] = {
    val each = for {
      ansi <- Seq("true", "false")
      name <- RegistryExpressions.names
    } yield {
      var found = Seq.empty[(Attribute, Expression)]
      withSQLConf(SQLConf.ANSI_ENABLED.key -> ansi) {
        found = RegistryExpressions.calls(spark, name, values.map(_._1))
      }
      name -> found
    }
    each.groupBy(_._1).map { case (name, found) => name -> found.flatMap(_._2) }
  }

  private def claimed(name: String) = calls(name).filter(c => CannotFail(c._2))

  /**
   * Replaces the first occurrence of `column` by its twin, so that a call with the column in two
   * places is evaluated on different values.
   */
  private def apart(column: Attribute, e: Expression): Expression = {
    var isFirst = true
    e.transformUp {
      case a: Attribute if a.exprId == column.exprId && isFirst =>
        isFirst = false
        twins(column)
    }
  }

  private def rows(column: Attribute): Seq[InternalRow] = {
    val all = values.find(_._1 eq column).get._2
    for (a <- all; b <- all) yield InternalRow(a, b)
  }

  /** The errors that the expressions raise in interpreted evaluation and in generated code. */
  private def errors(column: Attribute, expressions: Seq[Expression]): Seq[String] =
    expressions.distinct.grouped(30).toSeq.flatMap { some =>
      val input = Seq(column, twins(column))
      val bound =
        some.map(e => BindReferences.bindReference(apart(column, e), AttributeSeq(input)))
      val interpreted = for {
        (e, of) <- bound.zip(some)
        row <- rows(column)
        why <- Try(e.eval(row)).failed.toOption
      } yield s"$of raises $why for ${column.dataType} $row"
      def generated(es: Seq[Expression]) = Try {
        val projection = GenerateMutableProjection.generate(es)
        rows(column).foreach(projection(_))
      }
      val inCode =
        if (generated(bound).isSuccess) Nil
        else
          bound.zip(some).flatMap { case (e, of) =>
            generated(Seq(e)) match {
              case Failure(why) => Some(s"the code of $of of ${column.dataType} raises $why")
              case _ => None
            }
          }
      interpreted ++ inCode
    }

  private def assertNone(errors: Seq[String]): Unit =
    assert(errors.isEmpty, s"${errors.size}:\n${errors.take(40).mkString("\n")}")

  test("functions that are claimed not to fail do not") {
    val all = RegistryExpressions.names.flatMap(claimed)
    assert(all.size > 300, "too little is claimed to prove anything")
    assertNone(values.map(_._1).flatMap(c => errors(c, all.filter(_._1 eq c).map(_._2))))
  }

  test("casts that are claimed not to fail do not") {
    val modes = Seq(EvalMode.ANSI, EvalMode.LEGACY, EvalMode.TRY)
    val types = (values.map(_._1.dataType) ++
      Seq(
        DecimalType(3, 0),
        DecimalType(20, 0),
        ArrayType(TimestampType),
        ArrayType(StringType))).distinct
    val found = for ((column, _) <- values) yield {
      val casts = for {
        to <- types
        mode <- modes
        cast = Cast(column, to, Some("Europe/Berlin"), mode)
        if CannotFail(cast)
      } yield cast
      (casts.size, errors(column, casts))
    }
    assert(found.map(_._1).sum > 100, "too little is claimed to prove anything")
    assertNone(found.flatMap(_._2))
  }

  test("the test sees what fails") {
    val (day, _) = values.find(_._1.dataType == DateType).get
    assert(errors(day, Seq(Cast(day, TimestampType, Some("UTC")))).size > 1)
  }

  test("each function of Spark's registry has been looked at") {
    val before = if (Files.exists(golden)) lines else Map.empty[String, String]
    val now = RegistryExpressions.names.map(name => name -> verdict(name)).toMap
    if (regenerate) {
      val all = (before ++ now).toSeq.sortBy(_._1).map { case (name, said) => s"$name: $said" }
      Files.createDirectories(golden.getParent)
      Files.write(golden, all.asJava)
    } else {
      val unknown = now.keySet -- before.keySet
      assert(unknown.isEmpty, s"look at these, then write their lines: ${unknown.toSeq.sorted}")
      if (TestedLine.is("4.2")) {
        val changed = now.filter { case (name, said) => before(name) != said }
        assert(changed.isEmpty)
      }
    }
  }

  private def lines: Map[String, String] =
    Files
      .readAllLines(golden)
      .asScala
      .map { line =>
        val end = line.lastIndexOf(": ")
        line.take(end) -> line.drop(end + 2)
      }
      .toMap

  private def verdict(name: String) = (claimed(name).size, calls(name).size) match {
    case (0, _) => "may fail"
    case (some, all) if some == all => "cannot fail"
    case _ => "depends on types"
  }
}
