package io.sparksieve.bulkfilter.source

import java.util.Locale

/**
 * The options of a call of in_file or in_table.
 *
 * @param columns
 *   the columns to read, one for each column of the key; None if the option is not given
 * @param reader
 *   options passed on to Spark's reader
 */
private[bulkfilter] final case class KeyOptions(
    format: Option[String],
    columns: Option[Seq[String]],
    skipsInvalid: Boolean,
    reader: Map[String, String])

private[bulkfilter] object KeyOptions {

  private val Own = Set("format", "column", "invalid")

  def apply(function: String, options: Map[String, String]): KeyOptions = {
    val (own, reader) = options.partition { case (k, _) => Own(k.toLowerCase(Locale.ROOT)) }
    val named = own.map { case (k, v) => k.toLowerCase(Locale.ROOT) -> v.trim }
    named.find(_._2.isEmpty).foreach { case (k, _) =>
      KeyFileException.fail(function, s"the option '$k' is empty; leave it out or give it a value.")
    }
    val skips = named.get("invalid").map(_.toLowerCase(Locale.ROOT)) match {
      case None | Some("fail") => false
      case Some("skip") => true
      case Some(other) =>
        KeyFileException.fail(function, s"the option 'invalid' must be fail or skip, not '$other'.")
    }
    KeyOptions(
      named.get("format").map(_.toLowerCase(Locale.ROOT)),
      named.get("column").map(_.split(",").toSeq.map(_.trim)),
      skips,
      reader)
  }
}
