// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.internal.SQLConf

/**
 * Whether the result of a Python function for a row depends on that row alone. The functions of
 * pandas and Arrow are called for a batch, and may compute with all of its rows.
 */
private[dynamicfilter] object CalledByRow {

  def apply(udf: PythonUDF): Boolean = udf.deterministic && (udf.evalType match {
    case Rows => true
    case RowsByArrow => convertsByRow(SQLConf.get)
    case _ => false
  })

  /** SQL_BATCHED_UDF and SQL_ARROW_BATCHED_UDF of Spark's `PythonEvalType`. */
  private val Rows = 100
  private val RowsByArrow = 101

  /**
   * Whether Arrow's values become Python's one by one. Before Spark 4.1, and with this config, they
   * become a pandas Series first, of which the type depends on the batch: with a NULL in it,
   * integers become floats. Such a function sees 1 or 1.0 depending on other rows.
   */
  private def convertsByRow(conf: SQLConf) =
    conf.isModifiable(ByPandas) && !conf.getConfString(ByPandas).toBoolean

  private val ByPandas = "spark.sql.legacy.execution.pythonUDF.pandas.conversion.enabled"
}
