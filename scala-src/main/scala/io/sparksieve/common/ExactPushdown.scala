// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

/**
 * Proves that a condition can be pushed down exactly: pushing it to the sources of a plan, whole or
 * in part, negated or not, yields the same rows as evaluating it above the sources. Only then may a
 * filter be moved to another scan of the same source, or be merged with the filter of another scan:
 * Spark's result depends on which rows each scan keeps for the filters that are pushed to it.
 *
 * A condition is exact if every column in it is only tested for NULL or is of a type that its
 * source compares like Spark, and if every constant in it reaches the source unchanged. Expressions
 * around a column do not matter, because Spark may remove them (`cast(d AS DOUBLE) > 5`) before it
 * pushes the condition down.
 *
 * @param plan
 *   the plan whose output the conditions refer to
 * @param definition
 *   the plan of a WITH clause by its id
 * @param cached
 *   whether the plan, or a part of it, may be read from cached data
 */
private[sparksieve] final class ExactPushdown(
    plan: LogicalPlan,
    definition: Long => Option[LogicalPlan] = _ => None,
    cached: Boolean = false) {

  private val plans: Seq[LogicalPlan] = {
    def references(p: LogicalPlan) = p.collect { case ref: CTERelationRef => ref.cteId }
    def all(p: LogicalPlan, seen: Set[Long]): Seq[LogicalPlan] =
      p +: references(p).filterNot(seen).distinct.flatMap { id =>
        definition(id).toSeq.flatMap(all(_, seen + id))
      }
    all(plan, Set.empty)
  }

  private val leaves = plans.flatMap(_.collectLeaves()).filter {
    case ref: CTERelationRef => definition(ref.cteId).isEmpty
    case _ => true
  }

  private lazy val sources: AttributeMap[ExactSource] = AttributeMap(leaves.flatMap { leaf =>
    leaf.output.map(a => a -> ReadSource.of(leaf, a))
  })

  /**
   * The expressions that define each column that no source produces. They are empty for the output
   * of a generator, because nothing is pushed down through it.
   */
  private lazy val computed: AttributeMap[Seq[Expression]] = {
    def aliases(columns: Seq[Expression]) =
      columns.collect { case a: Alias => a.toAttribute -> a.child }
    val pairs = plans
      .flatMap(_.collect {
        case p: Project => aliases(p.projectList)
        case a: Aggregate => aliases(a.aggregateExpressions)
        case u: Union =>
          u.children.flatMap(c => u.output.zip(c.output))
        case ref: CTERelationRef =>
          definition(ref.cteId).toSeq.flatMap(d => ref.output.zip(d.output))
      }.flatten)
      .filter {
        // A union reuses the ids of its first child, and the first reference to a WITH clause
        // those of its definition.
        case (a, same: Attribute) => a.exprId != same.exprId
        case _ => true
      }
    val generated = plans.flatMap(_.collect { case g: Generate =>
      g.generatorOutput.map(_ -> Seq.empty[Expression])
    }.flatten)
    AttributeMap(
      pairs.groupBy(_._1.exprId).values.map(p => p.head._1 -> p.map(_._2)).toSeq ++ generated)
  }

  /** Whether one of these sources can skip unread data when a filter is pushed down. */
  def skips: Boolean = all.exists(_.skips)

  /** Whether all comparisons of these columns are exact for every constant. */
  def anyFilter(columns: Seq[Expression]): Boolean =
    evaluates || (all.forall(_.nullTests) && columns.forall(_.dataType match {
      case BooleanType | IntegerType | _: DecimalType => true
      case _ => false
    }))

  private lazy val all: Seq[ExactSource] =
    leaves.map(ReadSource.of).distinct ++ (if (cached) Seq(ExactSource.Cached) else Nil)

  def apply(conditions: Seq[Expression]): Boolean =
    evaluates || (!all.contains(ExactSource.Unknown) && conditions.forall(exact(_, Set.empty)))

  private def exact(condition: Expression, seen: Set[ExprId]): Boolean =
    ExactPushdown.holds(condition) { tested =>
      tested.column.references.forall { attribute =>
        val own = sources.get(attribute).map(tested.isExact)
        val made = computed.get(attribute).map { expressions =>
          !seen(attribute.exprId) && all.forall(tested.mayPass) &&
          expressions.forall(exact(_, seen + attribute.exprId))
        }
        // File metadata columns may have been added to only one of two instances of a relation.
        if (own.isEmpty && made.isEmpty) evaluates || ReadSource.isFileMetadata(attribute)
        // Cached data has bounds for computed columns too.
        else
          own.getOrElse(true) && made.getOrElse(true) &&
          (!cached || tested.isExact(ExactSource.Cached))
      }
    }

  private def evaluates = (all ++ sources.values).forall(_ == ExactSource.Evaluates)
}

private[sparksieve] object ExactPushdown {

  /** Whether `condition` can be pushed down exactly to every source that Sieve knows. */
  def anywhere(condition: Expression): Boolean =
    holds(condition)(t => !isNested(t.column.dataType) && t.isExact(ExactSource.Everywhere))

  /**
   * A column in a condition, or a field of a column.
   *
   * @param constants
   *   all constants of the condition; None if the column is only tested for NULL
   * @param isOperand
   *   whether the column itself is an operand of a comparison
   */
  private final case class Tested(
      column: Expression,
      constants: Option[Seq[(DataType, Any)]],
      isOperand: Boolean = false) {

    def isExact(source: ExactSource): Boolean = mayPass(source) && (constants.isEmpty ||
      source.column(column.dataType) || (isNested(column.dataType) && !isOperand))

    /** Whether the constants that the condition compares with may be pushed to the source. */
    def mayPass(source: ExactSource): Boolean = constants match {
      case None => source.nullTests
      case Some(values) =>
        (source.nullTests || !isNested(column.dataType)) &&
        values.forall { case (t, v) => source.constant(t, v) }
    }
  }

  /** Whether `test` holds for each column in `condition`. */
  private def holds(condition: Expression)(test: Tested => Boolean): Boolean =
    values(condition).exists { constants =>
      def over(e: Expression): Boolean = e match {
        case IsNull(Column(column)) => test(Tested(column, None))
        case IsNotNull(Column(column)) => test(Tested(column, None))
        case _ if e.foldable => true
        case Column(column) => test(Tested(column, Some(constants)))
        case _: AggregateExpression => true
        case c: BinaryComparison => c.children.forall(comparable)
        case In(value, list) => isOneWidth(value, constants) && (value +: list).forall(comparable)
        case InSet(value, _) => isOneWidth(value, constants) && comparable(value)
        case other => other.children.forall(over)
      }
      def comparable(e: Expression) = e match {
        case Column(c) if !e.foldable => test(Tested(c, Some(constants), isOperand = true))
        case other => over(other)
      }
      over(condition)
    }

  /** A column, or a field of a column, on which a filter can be pushed to a source. */
  private object Column {
    def unapply(e: Expression): Option[Expression] = if (isPath(e)) Some(e) else None

    private def isPath(e: Expression): Boolean = e match {
      case _: Attribute => true
      case GetStructField(child, _, _) => isPath(child)
      case _ => false
    }
  }

  private def isNested(dataType: DataType): Boolean = dataType match {
    case _: StructType | _: ArrayType | _: MapType => true
    case _ => false
  }

  /** The constants of a condition; None if one of them is not known before the query runs. */
  private def values(condition: Expression): Option[Seq[(DataType, Any)]] = {
    def constants(e: Expression): Seq[Expression] =
      if (e.foldable) Seq(e) else e.children.flatMap(constants)
    val found = constants(condition).map(c => value(c).map(c.dataType -> _))
    val listed = condition.collect { case InSet(child, set) =>
      set.toSeq.map(v => Some(child.dataType -> v))
    }.flatten
    if ((found ++ listed).exists(_.isEmpty)) None else Some((found ++ listed).flatten)
  }

  private def value(constant: Expression): Option[Any] = constant match {
    case Literal(v, _) => Some(v)
    case e if e.exists(_.isInstanceOf[UserDefinedExpression]) => None
    case e => Try(e.eval()).toOption
  }

  // Parquet inspects only the first value of a list to decide whether an INT32 can hold them all.
  private def isOneWidth(value: Expression, constants: Seq[(DataType, Any)]) = {
    val longs = constants.collect { case (LongType, v: Long) => v.isValidInt }
    value.dataType != LongType || longs.distinct.length < 2
  }
}
