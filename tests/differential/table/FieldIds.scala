// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{MetadataBuilder, StructField, StructType}

/** Parquet files with field ids, read under other names than they were written with. */
object FieldIds {

  /**
   * Writes the rows of `table`, whose first two columns are of one kind, to `folder`, and creates
   * the views `<table>_view` and `<table>_other`, in which each of these two columns has the field id
   * of the other. The latter is of a session that finds columns by ids.
   */
  def view(spark: SparkSession, table: String, folder: String): Unit = {
    val rows = spark.table(table)
    val ids = rows.schema.indices.map(_ + 1L)
    withIds(rows, ids).write.parquet(folder)
    val swapped = ids.take(2).reverse ++ ids.drop(2)
    val schema = withIds(rows, swapped).schema
    spark.read.schema(schema).parquet(folder).createOrReplaceTempView(s"${table}_view")
    val session = spark.newSession()
    session.conf.set(SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key, "true")
    // Spark itself loses rows by filters that it pushes down by name.
    session.conf.set(SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key, "false")
    val other = s"${table}_other"
    session.read.schema(schema).parquet(folder).createOrReplaceGlobalTempView(other)
    spark.table(s"global_temp.$other").createOrReplaceTempView(other)
  }

  private def withIds(rows: DataFrame, ids: Seq[Long]): DataFrame = {
    val fields = rows.schema.zip(ids).map { case (field, id) =>
      StructField(
        field.name,
        field.dataType,
        nullable = true,
        new MetadataBuilder().putLong("parquet.field.id", id).build())
    }
    rows.sparkSession.createDataFrame(rows.rdd, StructType(fields))
  }
}
