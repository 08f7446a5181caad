package io.sparksieve.setop

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.datasources.v2.json.JsonTable
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/**
 * Sources that yield other rows if they are given a filter than if the filter follows them.
 *
 * JSON is one: a line that breaks off is a row of NULLs, but a pushed filter that fails on what
 * stands before the break skips the line unseen. So `NOT (a <=> 1)`, pushed, would lose the row of
 * NULLs that the line `{"a":1,"b":` is.
 *
 * Parquet is one for comparisons with zero ([[SignedZero]]). Row by row that does no harm: a row
 * that a side's own filter loses, it loses with Sieve and without. But where rows are counted
 * below the filter, the sides see other counts, and no row of one is a row of the other.
 */
object PushdownSensitive {

  def apply(plan: LogicalPlan): Boolean =
    SQLConf.get.jsonFilterPushDown && plan.collectLeaves().exists(isJson)

  /**
   * Whether the sides' rows are the same, pushed filters or none. For JSON: each side has no filter
   * on the file's columns, or one that no row of NULLs passes.
   */
  def agrees(common: CommonSource): Boolean =
    !losesZeros(common) && !failsOnNested(common) && agreesOnNulls(common)

  /**
   * Spark's JSON reader fails on a filter none of whose parts it understands, as a comparison with
   * a struct is. Alone that comparison comes with an IS NOT NULL, which is understood; as part of
   * an OR, or negated, it may come without.
   */
  private def failsOnNested(common: CommonSource): Boolean =
    apply(common.left.plan) && (common.left.conditions ++ common.right.conditions).exists {
      _.exists {
        case c: BinaryComparison => isNested(c.left.dataType)
        case In(value, _) => isNested(value.dataType)
        case _ => false
      }
    }

  private def isNested(dataType: DataType) = dataType match {
    case _: StructType | _: ArrayType | _: MapType => true
    case _ => false
  }

  private def losesZeros(common: CommonSource): Boolean =
    (common.ownLeftConditions ++ common.ownRightConditions).exists(SignedZero.occursIn) &&
      common.left.plan.exists {
        case _: Aggregate | _: Distinct | _: Deduplicate | _: Window => true
        case _: Except | _: Intersect => true
        // What a WITH clause names may group.
        case _: CTERelationRef => true
        case _ => false
      }

  private def agreesOnNulls(common: CommonSource): Boolean = !apply(common.left.plan) || {
    val leaves = common.left.plan.collectLeaves()
    val partitions = PartitionColumns(common.left.plan)
    val columns = AttributeSet(leaves.filter(isJson).flatMap(_.output)) -- partitions
    Seq(common.left, common.right).forall { side =>
      // A condition on the outer query's row is a join's by the time filters are pushed.
      val pushable = side.conditions.filterNot { c =>
        Branch.isCorrelated(c) || isGuarded(c) || c.references.subsetOf(partitions)
      }
      pushable.isEmpty || pushable.exists(rejectsNulls(_, columns))
    }
  }

  /** `condition`, which is never NULL, in a form that is not given to a source that minds. */
  def guarded(condition: Expression, plan: LogicalPlan): Expression =
    if (apply(plan)) KnownNotNull(condition) else condition

  private def isGuarded(condition: Expression) = condition.exists(_.isInstanceOf[KnownNotNull])

  private def rejectsNulls(condition: Expression, columns: AttributeSet) =
    condition.references.subsetOf(columns) && {
      val onNulls = condition.transform { case a: Attribute => Literal(null, a.dataType) }
      try onNulls.eval() != true
      catch { case NonFatal(_) => false }
    }

  private def isJson(leaf: LogicalPlan) = leaf match {
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation => fs.fileFormat.isInstanceOf[JsonFileFormat]
        case _ => false
      }
    case r: DataSourceV2Relation => r.table.isInstanceOf[JsonTable]
    case _ => false
  }
}
