// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.util.{CharVarcharCodegenUtils, CharVarcharUtils}
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.types.StringType

import io.sparksieve.common.MembershipPredicate
import io.sparksieve.report.core.{NotPushed, NotPushedReason, PredicateText}

/** Finds the reason why Spark cannot translate a predicate for a source. */
private[pushdown] object Untranslated {

  /**
   * For DSv1 relations and files, which are offered comparisons of a column with constants.
   *
   * @param nested
   *   whether struct fields count as columns
   */
  def v1(predicate: Expression, nested: Boolean): NotPushed = {
    val culprit = smallest(predicate)(Translation.v1(_, nested).isEmpty)
    general(culprit).orElse(shape(culprit, nested)).getOrElse(NotPushed(NotPushedReason.NotKnown))
  }

  /** For DSv2 sources, which are offered expressions with a fixed list of functions. */
  def v2(predicate: Expression): NotPushed = {
    val culprit = smallest(predicate)(Translation.v2(_).isEmpty)
    general(culprit).getOrElse {
      val operand = smallestOperand(culprit)
      shape(operand, nested = true).getOrElse(
        NotPushed(NotPushedReason.Computed, PredicateText(operand)))
    }
  }

  /** The smallest part under AND, OR and NOT that cannot be translated. */
  private def smallest(predicate: Expression)(fails: Expression => Boolean): Expression =
    predicate match {
      case _: And | _: Or | _: Not =>
        predicate.children.find(fails).map(smallest(_)(fails)).getOrElse(predicate)
      case other => other
    }

  /** The innermost expression that cannot be translated for a DSv2 source. */
  private def smallestOperand(e: Expression): Expression =
    e.children.find(Translation.v2Operand(_).isEmpty).map(smallestOperand).getOrElse(e)

  /** The obstacle of an expression that cannot be translated for any source. */
  private def general(e: Expression): Option[NotPushed] =
    if (!e.deterministic) Some(NotPushed(NotPushedReason.NonDeterministic))
    else if (e.exists(_.isInstanceOf[UserDefinedExpression]))
      Some(
        NotPushed(
          NotPushedReason.Udf,
          e.collectFirst { case u: UserDefinedExpression => u.name }.get))
    else if (e.exists(_.isInstanceOf[MembershipPredicate]))
      Some(NotPushed(NotPushedReason.ValuesOfFiles))
    else if (e.exists(_.isInstanceOf[PlanExpression[_]])) Some(NotPushed(NotPushedReason.Subquery))
    else if (e.exists(_.isInstanceOf[BloomFilterMightContain]))
      Some(NotPushed(NotPushedReason.Subquery))
    else if (e.exists(isPadding)) Some(NotPushed(NotPushedReason.CharPadding))
    else None

  private def isPadding(e: Expression) = e match {
    case s: StaticInvoke => s.staticObject == classOf[CharVarcharCodegenUtils]
    case StringRPad(a: Attribute, _, _) => CharVarcharUtils.getRawTypeString(a.metadata).nonEmpty
    case _ => false
  }

  /** The obstacle of an expression that is not a comparison of a column with constants. */
  private def shape(e: Expression, nested: Boolean): Option[NotPushed] = {
    val casts = e.collect { case c: Cast if c.child.references.nonEmpty => c }
    if (comparesColumns(e)) Some(NotPushed(NotPushedReason.TwoColumns))
    else if (casts.nonEmpty) casts.headOption.map { c =>
      val reason =
        if (c.child.dataType.isInstanceOf[StringType]) NotPushedReason.TextColumn
        else NotPushedReason.CastOnColumn
      NotPushed(reason, s"from ${c.child.dataType.sql} to ${c.dataType.sql}")
    }
    else if (e.exists(isElement)) Some(NotPushed(NotPushedReason.Element))
    else if (!nested && e.exists(_.isInstanceOf[GetStructField]))
      Some(NotPushed(NotPushedReason.NestedField))
    else if (e.exists(isPattern)) Some(NotPushed(NotPushedReason.Pattern))
    else computed(e).map(f => NotPushed(NotPushedReason.Computed, PredicateText(f)))
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

  /** The function of a column that a predicate compares, or that is the predicate itself. */
  private def computed(e: Expression): Option[Expression] = e match {
    case _: Attribute | _: GetStructField => None
    case _: BinaryComparison | _: In | _: InSet | _: IsNull | _: IsNotNull | _: StringPredicate =>
      e.children.filter(_.references.nonEmpty).flatMap(computed).headOption
    case other => if (other.references.nonEmpty) Some(other) else None
  }
}
