// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

/** Hides what `spark.sql.redaction.string.regex` matches, as Spark does in the plans it shows. */
object Redacted {
  def apply(conf: SQLConf, text: String): String = Utils.redact(conf.stringRedactionPattern, text)
}
