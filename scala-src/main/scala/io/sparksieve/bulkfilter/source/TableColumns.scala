// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import scala.util.control.NonFatal

import org.apache.spark.sql.{AnalysisException, DataFrame, SparkSession}

import io.sparksieve.compat.SparkCompat

/** Resolves a name to a table and a column. */
private[bulkfilter] object TableColumns {

  /** The table found, and the options, with the column if the name contained it. */
  def apply(
      session: SparkSession,
      function: String,
      name: String,
      options: KeyOptions): (FoundColumns, KeyOptions) = {
    val parts =
      try SparkCompat.parser(session).parseMultipartIdentifier(name)
      catch {
        case NonFatal(e) => KeyFileException.fail(function, s"'$name' is no name of a table.", e)
      }
    if (options.columns.nonEmpty || parts.size == 1) (found(session, function, parts), options)
    else
      (found(session, function, parts.init), options.copy(columns = Some(Seq(parts.last))))
  }

  /** The rows of a table. */
  def open(session: SparkSession, place: TablePlace): DataFrame =
    session.table(place.parts.map(quoted).mkString("."))

  private def quoted(part: String) = s"`${part.replace("`", "``")}`"

  private def found(session: SparkSession, function: String, parts: Seq[String]): FoundColumns = {
    val place = TablePlace(parts)
    val schema =
      try open(session, place).schema
      catch {
        case e: AnalysisException =>
          KeyFileException.fail(
            function,
            s"there is no table ${place.name} that can be read; give 'table.column', with a database " +
              "in front if need be, or the table alone and the option 'column'. " +
              e.getSimpleMessage.linesIterator.next(),
            e
          )
      }
    FoundColumns(place, schema, isText = false)
  }
}
