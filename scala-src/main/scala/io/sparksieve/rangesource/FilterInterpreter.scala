// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.sources.Filter

import io.sparksieve.report.core.{Layer, Step}

/**
 * Decides which layer evaluates each of Spark's filters: the engine, the adapter or Spark; see
 * [[EvaluatedBy]].
 *
 * @param filters
 *   the conjuncts that Spark offers
 */
private[sparksieve] final class FilterInterpreter[F] private (
    val filters: Seq[F],
    reader: FilterReader[F],
    options: RangeDbOptions) {

  import FilterInterpreter.shown

  private val conditions = filters.map(f => f -> reader(f).whenTrue)

  private def layer(condition: Condition): EvaluatedBy = options.pushdown match {
    case Pushdown.Leave => EvaluatedBy.Spark
    case _ if condition.isOpaque => EvaluatedBy.Spark
    case Pushdown.Push if condition.isOfKey => EvaluatedBy.Engine
    case _ => EvaluatedBy.Adapter
  }

  /** The filters that Spark must apply. */
  val residual: Seq[F] = conditions.collect { case (f, c) if layer(c) == EvaluatedBy.Spark => f }

  /**
   * The filters that the source uses at least in part: all filters that are not [[residual]], and
   * the residual filters that narrow the ranges.
   */
  def used: Seq[F] = conditions.collect {
    case (f, c) if layer(c) != EvaluatedBy.Spark || (requested(c) != options.allKeys) => f
  }

  /** How the engine or the adapter handles each filter that it evaluates, for reports. */
  def steps: Map[Any, Step] = conditions.flatMap { case (f, c) =>
    val answer = layer(c) match {
      case EvaluatedBy.Engine =>
        Some(Step(Layer.Pushed, "the engine reads only its ranges of keys"))
      case EvaluatedBy.Adapter =>
        Some(Step(Layer.Evaluated, "the adapter evaluates it for each record of the engine"))
      case EvaluatedBy.Spark => None
    }
    answer.map((f: Any) -> _)
  }.toMap

  private def requested(condition: Condition): RangeSet = options.pushdown match {
    case Pushdown.Push => condition.engineKeys(options.keyRange)
    case _ => options.allKeys
  }

  val result: Interpretation = {
    def texts(layer: EvaluatedBy) = conditions.collect {
      case (f, c) if this.layer(c) == layer => shown(f)
    }
    val known = Condition.AllOf(conditions.map(_._2))
    Interpretation(
      requested(known),
      conditions.collect { case (_, c) if layer(c) == EvaluatedBy.Adapter => c },
      if (residual.isEmpty) Some(known.keys(options.keyRange)) else None,
      EvaluatedBy.All.flatMap(layer => texts(layer).map(_ -> layer))
    )
  }
}

private[sparksieve] object FilterInterpreter {

  private val MostCharacters = 200

  /**
   * The text of a filter, shortened because a list of values may be as long as a table. `toString`
   * of a filter is recursive, so it may overflow the stack.
   */
  private def shown(filter: Any): String =
    try {
      val text = s"$filter"
      if (text.length <= MostCharacters) text else text.take(MostCharacters) + "…"
    } catch {
      case _: StackOverflowError => "a filter that is nested too deep to be shown"
    }

  /** Interprets DSv1 filters. */
  def v1(filters: Seq[Filter], options: RangeDbOptions): FilterInterpreter[Filter] =
    new FilterInterpreter(filters, new V1Filters(options), options)

  /** Interprets DSv2 predicates. */
  def v2(predicates: Seq[Predicate], options: RangeDbOptions): FilterInterpreter[Predicate] =
    new FilterInterpreter(predicates, new V2Predicates(options), options)
}

/** The layer that evaluates a filter. */
private[rangesource] sealed abstract class EvaluatedBy(val name: String)
    extends Product
    with Serializable

private[rangesource] object EvaluatedBy {

  /** The ranges that are requested from the engine express the filter. */
  case object Engine extends EvaluatedBy("engine")

  /** The adapter evaluates the filter on each record that the engine generates. */
  case object Adapter extends EvaluatedBy("adapter")

  /** Spark evaluates the filter on each row; parts of it may narrow the ranges nevertheless. */
  case object Spark extends EvaluatedBy("spark")

  val All: Seq[EvaluatedBy] = Seq(Engine, Adapter, Spark)
}

/**
 * The result of interpreting all filters of a scan.
 *
 * @param ranges
 *   the keys that are requested from the engine
 * @param evaluated
 *   the conditions that the adapter evaluates
 * @param exact
 *   the keys of the rows that pass all filters; None if Spark evaluates any filter
 * @param layers
 *   each filter, as Spark writes it, with the layer that evaluates it
 */
private[rangesource] final case class Interpretation(
    ranges: RangeSet,
    evaluated: Seq[Condition],
    exact: Option[RangeSet],
    layers: Seq[(String, EvaluatedBy)]) {

  /** The filters that `layer` evaluates, as Spark writes them. */
  def filters(layer: EvaluatedBy): Seq[String] = layers.collect { case (f, `layer`) => f }

  /** `engine: …`, `adapter: …` and `spark: …`, for the layers that evaluate any filter. */
  def texts: Seq[String] = EvaluatedBy.All.map(l => l -> filters(l)).collect {
    case (layer, some) if some.nonEmpty => s"${layer.name}: ${some.mkString(", ")}"
  }

  override def toString: String = (s"ranges $ranges" +: texts).mkString("; ")
}
