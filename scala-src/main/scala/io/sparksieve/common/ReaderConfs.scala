// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.v2.FileTable
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.compat.SparkCompat

/**
 * The configs that a scan of files may look at: those of the session that runs it, and those of the
 * session in which the source was made, which a global view or a DataFrame brings along. Spark's
 * readers take most of theirs from the latter. What is to be safe must be so by both.
 */
private[sparksieve] object ReaderConfs {

  def of(files: HadoopFsRelation, running: SQLConf): Seq[SQLConf] =
    Seq(running, SparkCompat.conf(files.sparkSession)).distinct

  def of(table: FileTable, running: SQLConf): Seq[SQLConf] =
    running +: (table match {
      // Each of Spark's file tables is a case class with a session.
      case fields: Product =>
        fields.productIterator.collect { case s: SparkSession => SparkCompat.conf(s) }.toSeq
      case _ => Nil
    })
}
