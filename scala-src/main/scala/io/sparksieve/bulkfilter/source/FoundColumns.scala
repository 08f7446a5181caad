package io.sparksieve.bulkfilter.source

import org.apache.spark.sql.types.StructType

/**
 * A place and its columns.
 *
 * @param isText
 *   whether the place stores values of other types as strings, as CSV does
 */
private[bulkfilter] final case class FoundColumns(
    place: KeyPlace,
    columns: StructType,
    isText: Boolean)
