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
 * Where DISTINCT may keep -0.0. DISTINCT, UNION and EXCEPT make 0.0 of the -0.0 of a column, because
 * Spark groups by it. But Spark drops constants from what is grouped, and groups nothing if the rows
 * are distinct already. Another plan changes whether Spark sees that they are.
 */
private[setop] object NegativeZero {

  val InColumn: Refusal = Refusal(
    Reason.MergedValues,
    "A column may be the constant -0.0, or hold it, which DISTINCT keeps or not.")

  val InDistinctRows: Refusal = Refusal(
    Reason.MergedValues,
    "The rows of a side are distinct already, so DISTINCT may keep -0.0 in its columns, or not.")

  /** Whether a column that `query` computes may be the constant -0.0, or hold it. */
  def isColumnOf(query: WholeQuery): Boolean = query.plan
    .collectWithSubqueries { case operator => operator.expressions }
    .exists(_.exists(_.exists {
      case a: Alias => mayBe(a.child, query.origins)
      case _ => false
    }))

  private def mayBe(e: Expression, origins: ColumnOrigins): Boolean =
    hasFloat(e.dataType) && (e match {
      case _ if e.foldable => !Try(isZeroFree(e.eval(), e.dataType)).getOrElse(false)
      case _: Attribute | _: OuterReference => false
      case _ if origins.isNeverConstant(e) => false
      case _: Coalesce | _: CreateArray | _: CreateNamedStruct | _: CreateMap =>
        e.children.exists(mayBe(_, origins))
      case If(_, yes, no) => mayBe(yes, origins) || mayBe(no, origins)
      case CaseWhen(branches, other) => (branches.map(_._2) ++ other).exists(mayBe(_, origins))
      case r: RuntimeReplaceable => mayBe(r.replacement, origins)
      case _ => true
    })

  /**
   * Whether rows of `source` may be distinct without the floats of `output`: a single row, or those
   * of a GROUP BY by other columns.
   */
  def mayStayIn(output: Seq[Attribute], source: LogicalPlan, query: WholeQuery): Boolean =
    output.exists(a => hasFloat(a.dataType)) &&
      (source.maxRows.exists(_ <= 1) || query
        .withDefinitions(source)
        .exists(_.exists {
          case _: LeafNode | _: Project | _: Filter | _: Join | _: Union | _: Sort => false
          case _: Window | _: Generate | _: SubqueryAlias | _: View | _: CTERelationDef => false
          case _ => true
        }))

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
