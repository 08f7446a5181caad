package io.sparksieve.bulkfilter

import org.apache.spark.sql.types.StructType

/**
 * A place and the columns that it has.
 *
 * @param isText
 *   whether strings there stand for values of other types, as in CSV
 */
private[bulkfilter] final case class FoundColumns(
    place: KeyPlace,
    columns: StructType,
    isText: Boolean)
