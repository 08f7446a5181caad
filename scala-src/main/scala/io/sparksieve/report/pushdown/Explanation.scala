package io.sparksieve.report.pushdown

/**
 * What a layer does with a predicate.
 *
 * @param how
 *   in words
 */
final case class Step(layer: Layer, how: String)

/**
 * An obstacle in a place.
 *
 * @param detail
 *   what stands in the way there, such as a setting or a type; may be empty
 */
final case class Blame(obstacle: Obstacle, detail: String = "")

/**
 * One predicate of a scan.
 *
 * @param sql
 *   the predicate, without qualifiers of columns
 * @param steps
 *   what is done with it, from the source up to Spark; never empty
 * @param blame
 *   why no layer below Spark deals with it; None if one does
 */
final case class ExplainedPredicate(sql: String, steps: Seq[Step], blame: Option[Blame]) {

  /** The layers' names, such as `pushed, spark`. */
  def layers: String = steps.map(_.layer.name).distinct.mkString(", ")

  /** The obstacle's code. */
  def reason: Option[String] = blame.map(_.obstacle.code)

  def remedy: Option[String] = blame.flatMap(_.obstacle.remedy)

  /** What is done, or what stands in the way, in words. */
  def detail: String = blame match {
    case Some(Blame(obstacle, "")) => obstacle.meaning
    case Some(Blame(obstacle, detail)) => s"${obstacle.meaning.stripSuffix(".")}: $detail."
    case None => steps.map(_.how).mkString("", "; ", ".")
  }
}

/** How many rows a scan gave in a run, and how many of them its predicates let pass. */
final case class ScanRows(read: Long, kept: Long)

/**
 * One scan of a query.
 *
 * @param source
 *   the format, or what else gives the rows
 * @param place
 *   the table, file or view that is read
 * @param predicates
 *   never empty
 * @param rows
 *   of the query's last run; None if none is known
 */
final case class ExplainedScan(
    source: String,
    place: String,
    predicates: Seq[ExplainedPredicate],
    rows: Option[ScanRows])
