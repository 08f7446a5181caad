// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.internal.SQLConf

/** Settings of file readers that are not Spark configs, such as those of Parquet and ORC. */
private[sparksieve] object ReaderSetting {

  /**
   * The value of `key` that a reader sees: from its own options, else from the session, else from
   * Hadoop's configuration. Spark builds the configuration of a scan with the same precedence.
   */
  def apply(key: String, options: Map[String, String], conf: SQLConf): Option[String] = {
    def ofHadoop = SparkSession.getActiveSession
      .flatMap(s => Option(s.sparkContext.hadoopConfiguration.get(key)))
    CaseInsensitiveMap(options)
      .get(key)
      .orElse(Option(conf.getConfString(key, null)))
      .orElse(ofHadoop)
      .map(_.trim)
  }
}
