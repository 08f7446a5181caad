package io.sparksieve.report.pushdown

/**
 * A builder of scans of the second API, or a relation of the first, that tells more than Spark asks
 * of it: whether the engine answers a filter or the adapter between Spark and the engine.
 */
trait TellsLayers {

  /**
   * @param offered
   *   the filters that Spark offers, in the form of the API
   * @return
   *   for each that is used what is done with it
   */
  def steps(offered: Seq[Any]): Map[Any, Step]
}
