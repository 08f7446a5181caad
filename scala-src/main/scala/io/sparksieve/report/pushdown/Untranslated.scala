package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.util.{CharVarcharCodegenUtils, CharVarcharUtils}
import org.apache.spark.sql.sieve.Translation

import io.sparksieve.bulkfilter.BulkLeaf

/** Why Spark has no form of a predicate that it could offer to a source. */
private[pushdown] object Untranslated {

  /**
   * Of the first API and of files: comparisons of a column with constants.
   *
   * @param nested
   *   whether fields of structs count as columns
   */
  def v1(predicate: Expression, nested: Boolean): Blame = {
    val culprit = smallest(predicate)(Translation.v1(_, nested).isEmpty)
    general(culprit).orElse(shape(culprit, nested)).getOrElse(Blame(Obstacle.NotKnown))
  }

  /** Of the second API: expressions with a fixed list of functions. */
  def v2(predicate: Expression): Blame = {
    val culprit = smallest(predicate)(Translation.v2(_).isEmpty)
    general(culprit).getOrElse {
      val operand = smallestOperand(culprit)
      shape(operand, nested = true).getOrElse(Blame(Obstacle.Computed, PredicateText(operand)))
    }
  }

  /** The part of AND, OR and NOT that is to blame. */
  private def smallest(predicate: Expression)(fails: Expression => Boolean): Expression =
    predicate match {
      case _: And | _: Or | _: Not =>
        predicate.children.find(fails).map(smallest(_)(fails)).getOrElse(predicate)
      case other => other
    }

  /** The innermost expression that cannot be told to a source of the second API. */
  private def smallestOperand(e: Expression): Expression =
    e.children.find(Translation.v2Operand(_).isEmpty).map(smallestOperand).getOrElse(e)

  /** What no source can be told. */
  private def general(e: Expression): Option[Blame] =
    if (!e.deterministic) Some(Blame(Obstacle.NonDeterministic))
    else if (e.exists(_.isInstanceOf[UserDefinedExpression]))
      Some(Blame(Obstacle.Udf, e.collectFirst { case u: UserDefinedExpression => u.name }.get))
    else if (e.exists(_.isInstanceOf[BulkLeaf])) Some(Blame(Obstacle.ValuesOfFiles))
    else if (e.exists(_.isInstanceOf[PlanExpression[_]])) Some(Blame(Obstacle.Subquery))
    else if (e.exists(_.isInstanceOf[BloomFilterMightContain])) Some(Blame(Obstacle.Subquery))
    else if (e.exists(isPadding)) Some(Blame(Obstacle.CharPadding))
    else None

  private def isPadding(e: Expression) = e match {
    case s: StaticInvoke => s.staticObject == classOf[CharVarcharCodegenUtils]
    case StringRPad(a: Attribute, _, _) => CharVarcharUtils.getRawTypeString(a.metadata).nonEmpty
    case _ => false
  }

  /** What the form of a comparison with constants does not have. */
  private def shape(e: Expression, nested: Boolean): Option[Blame] = {
    val casts = e.collect { case c: Cast if c.child.references.nonEmpty => c }
    if (comparesColumns(e)) Some(Blame(Obstacle.TwoColumns))
    else if (casts.nonEmpty) casts.headOption.map { c =>
      Blame(Obstacle.CastOnColumn, s"from ${c.child.dataType.sql} to ${c.dataType.sql}")
    }
    else if (e.exists(isElement)) Some(Blame(Obstacle.Element))
    else if (!nested && e.exists(_.isInstanceOf[GetStructField])) Some(Blame(Obstacle.NestedField))
    else if (e.exists(isPattern)) Some(Blame(Obstacle.Pattern))
    else computed(e).map(f => Blame(Obstacle.Computed, PredicateText(f)))
  }

  private def comparesColumns(e: Expression) = e match {
    case BinaryComparison(left, right) => left.references.nonEmpty && right.references.nonEmpty
    case _ => false
  }

  private def isElement(e: Expression) = e match {
    case _: ExtractValue => !e.isInstanceOf[GetStructField]
    case _: ElementAt | _: ArrayContains | _: ArraysOverlap => true
    case _ => false
  }

  private def isPattern(e: Expression) = e match {
    case _: Like | _: RLike | _: ILike => true
    case _: MultiLikeBase => true
    case _ => false
  }

  /** The function of a column that a predicate compares, or is. */
  private def computed(e: Expression): Option[Expression] = e match {
    case _: Attribute | _: GetStructField => None
    case _: BinaryComparison | _: In | _: InSet | _: IsNull | _: IsNotNull | _: StringPredicate =>
      e.children.filter(_.references.nonEmpty).flatMap(computed).headOption
    case other => if (other.references.nonEmpty) Some(other) else None
  }
}
