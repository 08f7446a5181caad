package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.execution.{ScalarSubquery => ScalarSubqueryExec}
import org.apache.spark.sql.sieve.Translation

/**
 * Files in a directory. Predicates on partition columns alone choose directories; the rest is
 * offered to the reader of the format, as far as there is a form for it.
 *
 * @param partitionFilters
 *   those that the scan lists directories by
 * @param dataFilters
 *   those that the scan offers to the reader
 * @param partitionColumns
 *   their names
 * @param nested
 *   whether the reader is offered predicates on fields of structs
 * @param bucketColumn
 *   the column by which the scan leaves out files; None if it leaves out none so
 * @param skipsFiles
 *   whether the table's log has statistics by which a predicate leaves out files
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

  // It may read a file.
  private lazy val reader = makeReader

  // Spark asks the others too, but these no more.
  override def own: Seq[Expression] = partitionFilters

  override def hides: Expression => Boolean = DeltaTable.isInternal

  override def answer(predicate: Expression, askedBySpark: Boolean): Source.Answer =
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

  /** On the path, name, size or time of files. */
  private def isOfFiles(predicate: Expression) =
    byReader.contains(predicate) && predicate.references.nonEmpty && predicate.references.forall {
      case FileSourceConstantMetadataAttribute(_) => true
      case _ => false
    }

  private def offered(predicate: Expression): Source.Answer = {
    // The reader is told of a scalar subquery when it has its value.
    val constant = predicate.transform { case s: ScalarSubqueryExec =>
      Literal.default(s.dataType)
    }
    val form = Translation.v1(constant, nested)
    val parts = inParts(predicate)
    if (parts.nonEmpty) Right(parts)
    else if (form.nonEmpty && isMixed(predicate)) Source.blamed(Obstacle.OrAcrossColumns)
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

  /** Of one on partition columns and others Spark looks for what it says of each kind alone. */
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
