// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.SparkException

import io.sparksieve.bulkfilter.source.KeySource

/** Thrown if a value of a file is not a value of the key's type. */
final class InvalidKeyException(message: String) extends SparkException(message)

private[bulkfilter] object InvalidKeyException {

  def apply(source: KeySource, bad: BadValue): InvalidKeyException = {
    val column = source.columns.find(_.name == bad.column).get
    val file = if (bad.file.isEmpty) source.place.name else bad.file
    new InvalidKeyException(
      s"${source.function}: the value '${bad.value}' of column ${bad.column} in $file is no " +
        s"${column.keyType.sql}, the type of the key; correct the file, cast the key to " +
        s"${column.fileType.sql}, or leave such values out with the option 'invalid' = 'skip'.")
  }
}
