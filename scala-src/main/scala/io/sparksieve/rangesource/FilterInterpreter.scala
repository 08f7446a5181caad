package io.sparksieve.rangesource

import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.sources.Filter

import io.sparksieve.report
import io.sparksieve.report.pushdown.Step

/**
 * Decides of each of Spark's filters who answers it: the engine, the adapter or Spark; see
 * [[Layer]].
 *
 * @param filters
 *   conjuncts
 */
final class FilterInterpreter[F] private (
    val filters: Seq[F],
    reader: FilterReader[F],
    options: RangeDbOptions) {

  import FilterInterpreter.shown

  private val conditions = filters.map(f => f -> reader(f).whenTrue)

  private def layer(condition: Condition): Layer = options.pushdown match {
    case Pushdown.Leave => Layer.Spark
    case _ if condition.isOpaque => Layer.Spark
    case Pushdown.Push if condition.isOfKey => Layer.Engine
    case _ => Layer.Adapter
  }

  /** The filters that Spark must apply. */
  val residual: Seq[F] = conditions.collect { case (f, c) if layer(c) == Layer.Spark => f }

  /**
   * The filters that at least some part of is used for: all but those of [[residual]], and those of
   * them that narrow the ranges.
   */
  def used: Seq[F] = conditions.collect {
    case (f, c) if layer(c) != Layer.Spark || (asked(c) != options.allKeys) => f
  }

  /** What is done with each filter that is used, for reports. */
  def steps: Map[Any, Step] = conditions.flatMap { case (f, c) =>
    val told = layer(c) match {
      case Layer.Engine =>
        Some(Step(report.pushdown.Layer.Pushed, "the engine is asked for its ranges of keys"))
      case Layer.Adapter =>
        Some(Step(report.pushdown.Layer.Evaluated, "the adapter asks each record of the engine"))
      case Layer.Spark => None
    }
    told.map((f: Any) -> _)
  }.toMap

  private def asked(condition: Condition): RangeSet = options.pushdown match {
    case Pushdown.Push => condition.engineKeys(options.keyRange)
    case _ => options.allKeys
  }

  val result: Interpretation = {
    def texts(layer: Layer) = conditions.collect {
      case (f, c) if this.layer(c) == layer => shown(f)
    }
    val known = Condition.AllOf(conditions.map(_._2))
    Interpretation(
      asked(known),
      conditions.collect { case (_, c) if layer(c) == Layer.Adapter => c },
      if (residual.isEmpty) Some(known.keys(options.keyRange)) else None,
      Layer.All.flatMap(layer => texts(layer).map(_ -> layer))
    )
  }
}

object FilterInterpreter {

  private val MostCharacters = 200

  /** A list of values may be as long as a table, and filters write themselves by recursion. */
  private def shown(filter: Any): String =
    try {
      val text = s"$filter"
      if (text.length <= MostCharacters) text else text.take(MostCharacters) + "…"
    } catch {
      case _: StackOverflowError => "a filter that is nested too deep to be shown"
    }

  /** Filters of the first interface. */
  def v1(filters: Seq[Filter], options: RangeDbOptions): FilterInterpreter[Filter] =
    new FilterInterpreter(filters, new V1Filters(options), options)

  /** Predicates of the second interface. */
  def v2(predicates: Seq[Predicate], options: RangeDbOptions): FilterInterpreter[Predicate] =
    new FilterInterpreter(predicates, new V2Predicates(options), options)
}

/** Who answers a filter. */
sealed abstract class Layer(val name: String) extends Product with Serializable

object Layer {

  /** It is in the ranges that the engine is asked for. */
  case object Engine extends Layer("engine")

  /** The adapter asks it of each record that the engine generates. */
  case object Adapter extends Layer("adapter")

  /** Spark applies it to each row; what of it can be said in ranges may be in them nevertheless. */
  case object Spark extends Layer("spark")

  val All: Seq[Layer] = Seq(Engine, Adapter, Spark)
}

/**
 * What becomes of all filters of a scan.
 *
 * @param ranges
 *   the keys that the engine is asked for
 * @param evaluated
 *   what the adapter evaluates
 * @param exact
 *   the keys of the rows that pass all filters; None if Spark has any to apply
 * @param layers
 *   each filter, as Spark writes it, with who answers it
 */
final case class Interpretation(
    ranges: RangeSet,
    evaluated: Seq[Condition],
    exact: Option[RangeSet],
    layers: Seq[(String, Layer)]) {

  /** The filters that `layer` answers, as Spark writes them. */
  def filters(layer: Layer): Seq[String] = layers.collect { case (f, `layer`) => f }

  /** `engine: …`, `adapter: …` and `spark: …`, where there is something to name. */
  def texts: Seq[String] = Layer.All.map(l => l -> filters(l)).collect {
    case (layer, some) if some.nonEmpty => s"${layer.name}: ${some.mkString(", ")}"
  }

  override def toString: String = (s"ranges $ranges" +: texts).mkString("; ")
}
