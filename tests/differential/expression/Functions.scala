// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.expression

import scala.collection.mutable
import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.Confs
import io.sparksieve.compat.SparkCompat
import io.sparksieve.differential.{Dice, Generator}
import io.sparksieve.differential.table.{Column, Kind}

/**
 * Random calls of the functions in Spark's registry: draws a name and arguments, and keeps the call
 * if Spark can analyse it. Evaluates the call over the values that tables hold, to find out for
 * which values it throws.
 */
final class Functions(dice: Dice) {
  import Functions._

  private val Attempts = 5

  /** A call over one or two of `columns`; None if Spark can analyse no attempt. */
  def call(columns: Seq[Column]): Option[Call] =
    if (columns.isEmpty) None
    else Iterator.range(0, Attempts).map(_ => attempt(columns)).collectFirst { case Some(c) => c }

  private def attempt(columns: Seq[Column]): Option[Call] = {
    val name = dice.oneOf(names)
    val chosen = dice.oneOf(columns)
    val count = if (operators.contains(name)) 2 else dice.weighted(45 -> 1, 38 -> 2, 17 -> 3)
    val at = dice.below(count)
    val others = columns.filter(c => c.kind == chosen.kind && c.name != chosen.name)
    val args = Vector.tabulate[Either[Column, String]](count) { i =>
      if (i == at) Left(chosen)
      else if (others.nonEmpty && dice.chance(15)) Left(dice.oneOf(others))
      // Most functions of several arguments take another of the same type, a number or a string.
      else Right(dice.oneOf(dice.oneOf(Seq(chosen.kind, Kind.Int32, Kind.Text)).literals))
    }
    val used = args.collect { case Left(c) => c }.distinct
    def text(as: Column => String) = written(name, args.map(_.fold(as, a => a)))
    val probed = probe(text(c => s"c${used.indexOf(c)}"), used.map(_.kind))
    probed.map { p =>
      Call(text(_.name), used, p.dataType, p.failing, text(_ => dice.oneOf(chosen.kind.literals)))
    }
  }
}

object Functions {

  /**
   * @param failing
   *   for which values the call throws; the exceptions are only known if it uses one column
   * @param constant
   *   the same call with literals as its only arguments
   */
  final case class Call(
      sql: String,
      columns: Seq[Column],
      dataType: DataType,
      failing: Failing,
      constant: String) {

    /**
     * The SELECT item of the call, with its kind; if tables have no such type, the hash of the
     * call.
     */
    def item: (String, Kind) =
      kinds.find(_._1 == dataType).map(k => (sql, k._2)).getOrElse((s"hash($sql)", Kind.Int32))
  }

  sealed trait Failing
  case object Never extends Failing

  /** @param except literals for which it does not throw */
  final case class Sometimes(except: Seq[String]) extends Failing

  private final case class Probed(dataType: DataType, failing: Failing)

  private val operators = Seq("+", "-", "*", "/", "%", "||", "&", "<=>", "<", "=")

  // Functions that are not deterministic, that read more than their arguments, that create values
  // of any length, or that return the time zone or the user.
  private val barred = Set(
    "repeat",
    "space",
    "sequence",
    "lpad",
    "rpad",
    "array_repeat",
    "array_insert",
    "reflect",
    "java_method",
    "try_reflect",
    "raise_error",
    "sleep",
    "aes_encrypt",
    "unix_timestamp",
    "to_unix_timestamp",
    "version",
    "format_string",
    "printf",
    "collations",
    "hll_union",
    "equal_null"
  )

  private val volatile = Seq("current_", "curdate", "now", "local", "user", "session_", "rand")

  /** The names of the functions that can be called, in a fixed order. */
  private lazy val names: Seq[String] =
    FunctionRegistry.expressions.keys.toSeq.sorted.filter { n =>
      n.matches("[a-z_0-9]+") && !barred(n) && !volatile.exists(n.startsWith(_)) && n != "uuid"
    } ++ operators

  private def written(name: String, args: Seq[String]): String =
    if (operators.contains(name)) args.mkString("(", s" $name ", ")")
    else args.mkString(s"$name(", ", ", ")")

  private lazy val kinds: Seq[(DataType, Kind)] =
    (Kind.plain ++ Seq(Kind.Int16, Kind.Wide, Kind.Ntz))
      .map(k => DataType.fromDDL(k.ddl) -> k)

  private val probes = mutable.Map.empty[(String, Seq[Kind]), Option[Probed]]

  private val values = mutable.Map.empty[Kind, (DataType, Vector[Any])]

  /** The type and the failures of a call over columns `c0`, `c1` of the kinds, in ANSI mode. */
  private def probe(sql: String, of: Seq[Kind]): Option[Probed] =
    probes.getOrElseUpdate((sql, of), Confs.during(SparkSession.active, Ansi)(probed(sql, of)))

  private val Ansi = Map(SQLConf.ANSI_ENABLED.key -> "true")

  private def probed(sql: String, of: Seq[Kind]): Option[Probed] = try {
    val sources = of.map(valuesOf)
    val attributes = sources.zipWithIndex.map { case ((t, _), i) =>
      AttributeReference(s"c$i", t)()
    }
    analyzed(sql, attributes).filter(usable).map { e =>
      val bound = BindReferences.bindReference(e, attributes)
      def fails(row: Seq[Any]) = Try(bound.eval(InternalRow.fromSeq(row))).isFailure
      val single = sources.head._2
      val literals = of.head.literals ++ of.head.extremes
      val failing =
        if (sources.length == 1) {
          // The last value is NULL.
          val good = single.indices.init.filterNot(i => fails(Seq(single(i))))
          if (good.length + 1 == single.length && !fails(Seq(null))) Never
          else Sometimes(good.map(literals(_)))
        } else {
          val rows = single.zipWithIndex.flatMap { case (v, i) =>
            Seq(0, 3, 5).map(n => v +: sources.tail.map(s => s._2((i + n) % s._2.length)))
          }
          if (rows.exists(fails)) Sometimes(Nil) else Never
        }
      Probed(e.dataType, failing)
    }
  } catch { case NonFatal(_) | _: LinkageError => None }

  private def usable(e: Expression): Boolean =
    e.deterministic && !e.exists {
      case _: AggregateExpression | _: Generator | _: WindowExpression | _: Unevaluable => true
      case _ => false
    } && !e.foldable && (e.dataType match {
      case NullType | CalendarIntervalType | _: MapType => false
      case t => !t.getClass.getSimpleName.contains("Variant")
    })

  /** The type of a kind, and its values: the usual values first, NULL last. */
  private def valuesOf(kind: Kind): (DataType, Vector[Any]) = values.getOrElseUpdate(
    kind, {
      val all = (kind.literals ++ kind.extremes).toVector.map(l =>
        analyzed(s"CAST($l AS ${kind.ddl})", Nil).get)
      (all.head.dataType, all.map(_.eval()) :+ null)
    }
  )

  private def analyzed(sql: String, attributes: Seq[Attribute]): Option[Expression] = try {
    val spark = SparkSession.active
    val parsed = SparkCompat.parser(spark).parseExpression(sql)
    val query = Project(Seq(Alias(parsed, "x")()), LocalRelation(attributes))
    SparkCompat.plan(spark, query).analyzed match {
      case Project(Seq(a: Alias), _: LocalRelation) => Some(replaced(a.child))
      case _ => None
    }
  } catch { case NonFatal(_) => None }

  private def replaced(e: Expression): Expression = e.transform { case r: RuntimeReplaceable =>
    replaced(r.replacement)
  }
}
