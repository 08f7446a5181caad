// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types._

import io.sparksieve.common.SetEquality
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Where DISTINCT may keep -0.0. DISTINCT, UNION, EXCEPT and INTERSECT make 0.0 of the -0.0 of a
 * column, because Spark groups by it. But Spark drops constants from what is grouped, evaluates
 * inline rows while it plans, and groups nothing if the rows are distinct already, by the keys of a
 * GROUP BY below or because there is one. Another plan changes whether Spark sees that.
 */
private[setop] object NegativeZero {

  private val InColumn: Refusal = Refusal(
    Reason.MergedValues,
    "A column may be the constant -0.0, or hold it, which DISTINCT keeps or not.")

  private val InDistinctRows: Refusal = Refusal(
    Reason.MergedValues,
    "Rows with floats may be distinct before DISTINCT, UNION, EXCEPT or INTERSECT, which then keeps -0.0.")

  /** Why another plan of `query` may keep -0.0 where this one does not, if it may. */
  def obstacle(query: WholeQuery): Option[Refusal] = {
    if (hasColumn(query)(mayBe(_, query.origins))) Some(InColumn)
    else if (query.operators.exists(mayGroupNothing(_, query))) Some(InDistinctRows)
    else None
  }

  /** Whether a constant of `query`, or a value of its inline rows, is -0.0 or holds it. */
  def isWrittenIn(query: WholeQuery): Boolean = hasColumn(query)(hasZero)

  private def hasColumn(query: WholeQuery)(holds: Expression => Boolean): Boolean =
    query.operators.exists {
      case inline: LocalRelation =>
        inline.output.exists(a => hasFloat(a.dataType)) &&
        !inline.data.forall(isZeroFree(_, inline.schema))
      case plan =>
        plan.expressions.exists(_.exists {
          case Alias(value, _) => holds(value)
          case _ => false
        })
    }

  private def hasZero(constant: Expression) = constant.foldable && hasFloat(constant.dataType) &&
    !Try(isZeroFree(constant.eval(), constant.dataType)).getOrElse(false)

  private def mayBe(e: Expression, origins: ColumnOrigins): Boolean =
    hasFloat(e.dataType) && (e match {
      case _ if e.foldable => hasZero(e)
      case _: Attribute | _: OuterReference => false
      case _ if origins.isConstantOnlyAsNull(e) => false
      case _: Coalesce | _: Greatest | _: Least | _: CreateArray | _: CreateNamedStruct |
          _: CreateMap =>
        e.children.exists(mayBe(_, origins))
      case If(_, yes, no) => mayBe(yes, origins) || mayBe(no, origins)
      case CaseWhen(branches, other) => (branches.map(_._2) ++ other).exists(mayBe(_, origins))
      case r: RuntimeReplaceable => mayBe(r.replacement, origins)
      case _ => true
    })

  /** Whether `plan` groups by floats, and the rows below it may be distinct already. */
  private def mayGroupNothing(plan: LogicalPlan, query: WholeQuery) = {
    val grouped = plan match {
      case a: Aggregate => a.groupingExpressions
      case Except(_, _, false) | Intersect(_, _, false) => plan.output
      case _: Distinct | _: Deduplicate => plan.output
      case _ => Nil
    }
    grouped.exists(e => hasFloat(e.dataType)) && {
      val below = plan.children
        .flatMap(query.withDefinitions)
        .flatMap(_.collect { case operator => operator })
      below.exists(isKeyed) || (plan +: below).exists { p =>
        addsFloats(p) && p.children.exists(_.exists(isDistinct))
      }
    }
  }

  /** Whether `plan` has floats that its children do not group by. */
  private def addsFloats(plan: LogicalPlan) = plan.isInstanceOf[Join] || plan.expressions.exists {
    case Alias(_: Attribute, _) => false
    case computed: Alias => hasFloat(computed.dataType)
    case _ => false
  }

  /** Whether `plan` groups by all its floats, so that none is -0.0. */
  private def isDistinct(plan: LogicalPlan) = plan match {
    case _: Distinct | _: SetOperation => true
    case a: Aggregate =>
      a.groupingExpressions.nonEmpty && a.aggregateExpressions.forall { e =>
        !hasFloat(e.dataType) || a.groupingExpressions.exists(_.semanticEquals(e))
      }
    case _ => false
  }

  /** Whether Spark may know columns of `plan`, other than all, by which its rows are distinct. */
  private def isKeyed(plan: LogicalPlan): Boolean = plan match {
    case leaf: LeafNode => leaf.maxRows.exists(_ <= 1)
    case _: Project | _: Filter | _: Join | _: Union | _: Sort | _: Window | _: Generate => false
    case _: SubqueryAlias | _: View | _: CTERelationDef | _: WithCTE | _: Sample => false
    case _: RepartitionOperation | _: RebalancePartitions | _: ResolvedHint => false
    case other => !isDistinct(other)
  }

  private def hasFloat(dataType: DataType): Boolean = dataType match {
    case ArrayType(element, _) => hasFloat(element)
    case MapType(key, value, _) => hasFloat(key) || hasFloat(value)
    case StructType(fields) => fields.exists(f => hasFloat(f.dataType))
    case _: StringType => false
    case other => SetEquality.merges(other)
  }

  private def isZeroFree(value: Any, dataType: DataType): Boolean = (value, dataType) match {
    case (null, _) => true
    case (d: Double, _) => d != 0 || 1 / d > 0
    case (f: Float, _) => f != 0 || 1 / f > 0
    case (a: ArrayData, ArrayType(of, _)) =>
      a.toSeq[Any](of).forall(isZeroFree(_, of))
    case (m: MapData, MapType(k, v, _)) =>
      isZeroFree(m.keyArray(), ArrayType(k)) && isZeroFree(m.valueArray(), ArrayType(v))
    case (r: InternalRow, s: StructType) =>
      r.toSeq(s).zip(s).forall { case (field, f) => isZeroFree(field, f.dataType) }
    case _ => !hasFloat(dataType)
  }
}
