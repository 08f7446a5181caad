package io.sparksieve.bulkfilter

/** What the parts of this room have in common. */
object BulkFilters {
  val Room = "bulkfilter"
}
