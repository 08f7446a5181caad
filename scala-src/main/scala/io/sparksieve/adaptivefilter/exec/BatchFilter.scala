// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{Attribute, CodegenObjectFactoryMode, Predicate}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.codegen.GenerateBatchPredicates
import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.adaptivefilter.run.{
  BatchPredicates,
  BatchRun,
  DisjunctivePredicates,
  FilterHandle,
  RowwisePredicates,
  ShiftedPredicates
}

/**
 * A filter over batches, in the form that is serialized into tasks.
 *
 * @param input
 *   the columns of the batches
 * @param vectorTypes
 *   the class of each column's vectors, if they are known
 */
private[adaptivefilter] final class BatchFilter(
    conjuncts: Seq[Conjunct],
    input: Seq[Attribute],
    vectorTypes: Option[Seq[String]],
    handle: FilterHandle)
    extends Serializable
    with Logging {

  /**
   * Starts the run of one task. Generated code calls this method too.
   *
   * @param partition
   *   number of the task's partition
   */
  def start(partition: Int, lookAhead: Boolean): BatchRun = {
    val single = generated.getOrElse(rowwise)
    single.initialize(partition)
    val predicates = withParts(single, conjuncts, handle, first = 0)
    new BatchRun(predicates, handle.learner(), handle.precedence, handle.settings, lookAhead)
  }

  /** @param first the position of the first of `conjuncts` in [[BatchFilter.flat]] */
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
      // lookAhead: the parts only run on rows for which the whole predicate is evaluated now, so
      // there is no reason to delay those that can fail.
      k -> new BatchRun(
        withParts(single, conjuncts(k).exclusions, part, starts(k)),
        part.learner(),
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
        // Evaluates row by row instead, as Spark falls back when its own code does not compile.
        case NonFatal(e) if mode == CodegenObjectFactoryMode.FALLBACK =>
          logWarning(s"Failed to compile the predicates of an adaptive filter: $e", e)
          None
      }
  }

  private def rowwise: BatchPredicates =
    new RowwisePredicates(flat.map(c => Predicate.create(c.condition, input)).toArray)
}

private[adaptivefilter] object BatchFilter {

  /**
   * All predicates that are evaluated over batches: first `conjuncts`, where a predicate with parts
   * is represented by its NULL checks, then the parts of each, recursively.
   */
  def flat(conjuncts: Seq[Conjunct]): Seq[Conjunct] =
    conjuncts.map(c => if (c.exclusions.isEmpty) c else c.nullChecks) ++
      conjuncts.flatMap(c => flat(c.exclusions))
}
