// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.execution.{ScalarSubquery => ScalarSubqueryExec}
import org.apache.spark.sql.sieve.Translation

import io.sparksieve.report.core.{Layer, NotPushedReason, Step}

/**
 * Files in a directory. Predicates on partition columns alone prune directories; other predicates
 * are offered to the reader of the format, if Spark can translate them.
 *
 * @param partitionFilters
 *   the predicates by which the scan prunes directories
 * @param dataFilters
 *   the predicates that the scan offers to the reader
 * @param partitionColumns
 *   the names of the partition columns
 * @param nested
 *   whether the reader is offered predicates on struct fields
 * @param bucketColumn
 *   the column by which the scan prunes buckets; None if it prunes none
 * @param skipsFiles
 *   whether a predicate skips files by the statistics in the table's log
 */
private[pushdown] final class FileSource(
    override val name: String,
    override val place: String,
    partitionFilters: Seq[Expression],
    dataFilters: Seq[Expression],
    partitionColumns: Set[String],
    nested: Boolean,
    bucketColumn: Option[String],
    skipsFiles: Expression => Boolean,
    makeReader: => FileReader)
    extends Source
    with PredicateHelper {

  private val byPartition = ExpressionSet(partitionFilters)
  private val byReader = ExpressionSet(dataFilters)

  // Lazy, because making the reader may read the footer of a file.
  private lazy val reader = makeReader

  // Spark evaluates data filters again above the scan, but not partition filters.
  override def own: Seq[Expression] = partitionFilters

  override def hides: Expression => Boolean = DeltaTable.isInternal

  override def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer =
    if (byPartition.contains(predicate)) Source.does(Layer.Skipped, ofPartitions(predicate))
    else if (isOfFiles(predicate))
      Source.does(Layer.Skipped, "files of which it is not true are not read")
    else
      (ofBuckets(predicate) ++ ofLog(predicate), offered(predicate)) match {
        case (Nil, said) => said
        case (skipped, said) => Right(skipped ++ said.getOrElse(Nil))
      }

  private def ofPartitions(predicate: Expression) =
    if (predicate.exists(_.isInstanceOf[DynamicPruningExpression]))
      "directories without these values are not read"
    else "directories of other partitions are not read"

  /** Whether a predicate is only on file metadata: path, name, size or modification time. */
  private def isOfFiles(predicate: Expression) =
    byReader.contains(predicate) && predicate.references.nonEmpty && predicate.references.forall {
      case FileSourceConstantMetadataAttribute(_) => true
      case _ => false
    }

  private def offered(predicate: Expression): Source.Answer = {
    // The reader gets a scalar subquery as a literal, once its value is known.
    val constant = predicate.transform { case s: ScalarSubqueryExec =>
      Literal.default(s.dataType)
    }
    val form = Translation.v1(constant, nested)
    val parts = inParts(predicate)
    if (parts.nonEmpty) Right(parts)
    else if (form.nonEmpty && isMixed(predicate)) Source.blamed(NotPushedReason.OrAcrossColumns)
    else if (!byReader.contains(predicate)) Left(Untranslated.v1(predicate, nested))
    else form.fold[Source.Answer](Left(Untranslated.v1(constant, nested)))(reader(_, predicate))
  }

  private def split(predicate: Expression): (AttributeSet, AttributeSet) = {
    val (partition, data) = predicate.references.toSeq.partition(a => partitionColumns(a.name))
    (AttributeSet(partition), AttributeSet(data))
  }

  private def isMixed(predicate: Expression) = {
    val (partition, data) = split(predicate)
    partition.nonEmpty && data.nonEmpty
  }

  /**
   * The steps for a predicate on both partition columns and data columns: Spark extracts one
   * predicate on each kind of column alone.
   */
  private def inParts(predicate: Expression): Seq[Step] = if (!isMixed(predicate)) Nil
  else {
    val (partition, data) = split(predicate)
    def part(of: AttributeSet, among: ExpressionSet) =
      extractPredicatesWithinOutputSet(predicate, of).filter(among.contains)
    val ofPartition = part(partition, byPartition).map { _ =>
      Step(Layer.Skipped, "directories are left out by what it says of partitions")
    }
    val ofData = part(data, byReader).toSeq.flatMap { p =>
      Translation.v1(p, nested).toSeq.flatMap(reader(_, p).getOrElse(Nil))
    }
    ofPartition.toSeq ++ ofData
  }

  private def ofLog(predicate: Expression): Seq[Step] =
    if (skipsFiles(predicate))
      Seq(Step(Layer.Skipped, "files are left out by the statistics in the table's log"))
    else Nil

  private def ofBuckets(predicate: Expression): Seq[Step] =
    if (isOfBuckets(predicate)) Seq(Step(Layer.Skipped, "files of other buckets are not read"))
    else Nil

  private def isOfBuckets(predicate: Expression): Boolean = predicate match {
    case And(left, right) => isOfBuckets(left) || isOfBuckets(right)
    case Or(left, right) => isOfBuckets(left) && isOfBuckets(right)
    case EqualTo(a: Attribute, _: Literal) => bucketColumn.contains(a.name)
    case EqualNullSafe(a: Attribute, _: Literal) => bucketColumn.contains(a.name)
    case EqualTo(_: Literal, a: Attribute) => bucketColumn.contains(a.name)
    case In(a: Attribute, list) =>
      bucketColumn.contains(a.name) && list.forall(_.isInstanceOf[Literal])
    case InSet(a: Attribute, _) => bucketColumn.contains(a.name)
    case IsNull(a: Attribute) => bucketColumn.contains(a.name)
    case _ => false
  }
}
