package io.sparksieve.adaptivefilter

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{Attribute, CodegenObjectFactoryMode, Predicate}
import org.apache.spark.sql.internal.SQLConf

/**
 * A filter over batches as tasks get it.
 *
 * @param input
 *   the columns of the batches
 * @param vectorTypes
 *   the class of each column's vectors, if they are known
 */
final class BatchFilter(
    conjuncts: Seq[Conjunct],
    input: Seq[Attribute],
    vectorTypes: Option[Seq[String]],
    handle: FilterHandle)
    extends Serializable
    with Logging {

  /**
   * Starts a task's run. For generated code too.
   *
   * @param partition
   *   number of the task's partition
   */
  def start(partition: Int, lookAhead: Boolean): BatchRun = {
    val single = generated.getOrElse(rowwise)
    single.initialize(partition)
    val predicates = withParts(single, conjuncts, handle, first = 0)
    new BatchRun(predicates, handle.lessons(), handle.precedence, handle.settings, lookAhead)
  }

  /** @param first the place of the first of `conjuncts` among all, as [[BatchFilter.flat]] has them */
  private def withParts(
      single: BatchPredicates,
      conjuncts: Seq[Conjunct],
      handle: FilterHandle,
      first: Int): BatchPredicates = {
    val own = if (first == 0) single else new ShiftedPredicates(single, first)
    val starts = conjuncts
      .map(c => BatchFilter.flat(c.exclusions).size)
      .scanLeft(first + conjuncts.size)(_ + _)
    val parts = handle.parts.map { case (k, part) =>
      // Whoever asks such a predicate of a row asks for its answer: there is nothing to wait for.
      k -> new BatchRun(
        withParts(single, conjuncts(k).exclusions, part, starts(k)),
        part.lessons(),
        part.precedence,
        part.settings,
        lookAhead = true)
    }
    if (parts.isEmpty) own
    else new DisjunctivePredicates(own, conjuncts.map(_.notNull.nonEmpty).toArray, parts)
  }

  private def flat = BatchFilter.flat(conjuncts)

  private def generated: Option[BatchPredicates] = {
    val conf = SQLConf.get
    val mode =
      CodegenObjectFactoryMode.withName(conf.getConf(SQLConf.CODEGEN_FACTORY_MODE).toString)
    if (mode == CodegenObjectFactoryMode.NO_CODEGEN || !GenerateBatchPredicates.supports(flat))
      None
    else
      try GenerateBatchPredicates(flat, input, vectorTypes, conf.hugeMethodLimit)
      catch {
        // As Spark does with code of its own that does not compile.
        case NonFatal(e) if mode == CodegenObjectFactoryMode.FALLBACK =>
          logWarning(s"Failed to compile the predicates of an adaptive filter: $e", e)
          None
      }
  }

  private def rowwise: BatchPredicates =
    new RowwisePredicates(flat.map(c => Predicate.create(c.condition, input)).toArray)
}

private[adaptivefilter] object BatchFilter {

  /** All that is asked of batches: the predicates, and behind them the parts of each. */
  def flat(conjuncts: Seq[Conjunct]): Seq[Conjunct] =
    conjuncts.map(c => if (c.exclusions.isEmpty) c else c.nullChecks) ++
      conjuncts.flatMap(c => flat(c.exclusions))
}
