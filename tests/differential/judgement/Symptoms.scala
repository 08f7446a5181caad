// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import org.apache.parquet.io.ParquetDecodingException

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

/** How to recognise those bugs of Spark ([[KnownOfSpark]]) that no conf switches off. */
private[differential] object Symptoms {

  /**
   * Spark fails when it pushes an IN with a NULL in its list into an ORC scan. Without Sieve, Spark
   * may never read that scan: a semi-join whose other side is empty pulls no row.
   */
  def isOfSparksOrc(e: Throwable): Boolean = Judge.root(e) match {
    case npe: NullPointerException =>
      npe.getStackTrace.exists(_.getClassName.contains("OrcFilters"))
    case _ => false
  }

  /** An assertion of V2ExpressionBuilder, which runs before any source sees a filter. */
  def isOfSparksConditions(e: Throwable): Boolean = Judge.root(e) match {
    case assertion: AssertionError =>
      assertion.getStackTrace.exists(_.getClassName.endsWith("V2ExpressionBuilder"))
    case _ => false
  }

  /**
   * Spark generates code for `IN (NULL, 1)` that does not compile when it gives the filter to a
   * reader of text, and then evaluates the list without it, or fails the task where
   * `spark.sql.codegen.factoryMode` allows nothing else. Without Sieve, adaptive execution may leave
   * that stage out.
   */
  def isOfNullInList(compilerMessage: String): Boolean =
    OfNullInList.exists(compilerMessage.contains(_))

  private val OfNullInList = Seq(
    "public static boolean java.lang.Float.isNaN",
    "public static boolean java.lang.Double.isNaN",
    """Cannot compare types "int" and "java.lang.Object"""",
    """Cannot compare types "long" and "java.lang.Object"""",
    """Cannot compare types "boolean" and "java.lang.Object""""
  )

  def isUnreadable(e: Throwable): Boolean =
    (e +: e.getSuppressed.toSeq)
      .flatMap(Iterator.iterate(_)(_.getCause).takeWhile(_ != null).take(MaxCauses))
      .exists {
        // Spark 3.5, whose row reader finds out at the first value.
        case decoding: ParquetDecodingException =>
          decoding.getCause.isInstanceOf[ClassCastException] ||
          decoding.getCause.isInstanceOf[UnsupportedOperationException]
        case t => Option(t.getMessage).exists(m => Unreadable.exists(m.contains(_)))
      }

  // Of Spark 4 and of 3.5.
  private val Unreadable =
    Seq("FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH", "Parquet column cannot be converted")

  private final val MaxCauses = 20

  /** Where a plan ignores corrupt files. */
  def corrupt(run: Run): Option[KnownOfSpark] = {
    val ignored = run.plan.toSeq
      .flatMap(_.collectWithSubqueries { case r: LogicalRelation =>
        r.relation
      })
      .collect { case files: HadoopFsRelation => files.options }
    if (ignored.exists(new FileSourceOptions(_).ignoreCorruptFiles)) Some(KnownOfSpark.CorruptFile)
    else None
  }
}
