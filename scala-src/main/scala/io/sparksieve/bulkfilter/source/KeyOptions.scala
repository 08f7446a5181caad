// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.util.Locale

import io.sparksieve.conf.Spelling

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

  /** The documented options of Spark's readers of files; readers of other formats have others. */
  private val OfReaders: Set[String] =
    """allowBackslashEscapingAnyCharacter allowComments allowNonNumericNumbers
      |allowNumericLeadingZeros allowSingleQuotes allowUnquotedControlChars
      |allowUnquotedFieldNames avroSchema basePath charset charToEscapeQuoteEscaping
      |columnNameOfCorruptRecord comment compression dateFormat datetimeRebaseMode delimiter
      |dropFieldIfAllNull emptyValue enableDateTimeParsingFallback encoding enforceSchema
      |escape header ignoreCorruptFiles ignoreExtension ignoreLeadingWhiteSpace
      |ignoreMissingFiles ignoreTrailingWhiteSpace inferSchema int96RebaseMode lineSep locale
      |maxCharsPerColumn maxColumns mergeSchema mode modifiedAfter modifiedBefore multiLine
      |nanValue negativeInf nullValue pathGlobFilter positiveInf preferDate prefersDecimal
      |primitivesAsString quote recursiveFileLookup rootTag rowTag samplingRatio sep
      |timestampFormat timestampNTZFormat timeZone unescapedQuoteHandling
      |wholetext""".stripMargin.split("\\s+").toSet

  private val Known = Own ++ OfReaders
  private val KnownInLowerCase = Known.map(_.toLowerCase(Locale.ROOT))

  def apply(function: String, options: Map[String, String]): KeyOptions = {
    options.keys.foreach(refuseMisspelt(function, _))
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

  /** Spark's readers ignore unknown options, so a misspelt one would silently do nothing. */
  private def refuseMisspelt(function: String, option: String): Unit =
    if (!KnownInLowerCase(option.toLowerCase(Locale.ROOT))) {
      val (nearest, letters) = Spelling.nearest(option, Known)
      if (letters <= (if (nearest.length < 5) 1 else 2))
        KeyFileException.fail(function, s"there is no option '$option'; the nearest is '$nearest'.")
    }
}
