package io.sparksieve.bulkfilter

/** Leaves that keep the rows whose key is in a file. */
object Include {

  /** @param key an expression of SQL, of which a column's name is the simplest */
  def apply(
      key: String,
      fileLocation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = ""): ProjectionBulkFilter =
    ProjectionBulkFilter(KeyText.key(key), fileLocation, Words.Include, options, nulls)
}

/** Leaves that keep the rows whose key is not in a file. */
object Exclude {

  /** @param key an expression of SQL, of which a column's name is the simplest */
  def apply(
      key: String,
      fileLocation: String,
      options: Map[String, String] = Map.empty,
      nulls: String = ""): ProjectionBulkFilter =
    ProjectionBulkFilter(KeyText.key(key), fileLocation, Words.Exclude, options, nulls)
}
