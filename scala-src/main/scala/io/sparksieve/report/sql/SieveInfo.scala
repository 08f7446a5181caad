// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import java.util.Properties

import scala.jdk.CollectionConverters._

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.{DataType, StringType}

/**
 * `sieve_info()`: the versions of Sieve, Spark, Scala and Java that are running, and every jar of
 * Sieve on the classpath (more than one jar is an installation error).
 */
private[sparksieve] object SieveInfo extends SieveTableFunction {

  private val Resource = "META-INF/sparksieve.properties"

  override val name = "sieve_info"

  override val usage =
    "sieve_info() - the versions of Sieve, Spark, Scala and Java that are running"

  override val columns: Seq[(String, DataType)] = Seq("key", "value").map(_ -> StringType)

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] = {
    if (arguments.nonEmpty) throw new IllegalArgumentException(s"$name takes no argument: $usage")
    val loader = getClass.getClassLoader
    val mine = read(loader.getResource(Resource))
    Seq(
      Seq("version", mine.getProperty("version")),
      Seq("spark", SPARK_VERSION),
      Seq("spark.line", mine.getProperty("spark.line")),
      Seq("scala", scala.util.Properties.versionNumberString),
      Seq("java", System.getProperty("java.version"))
    ) ++
      loader.getResources(Resource).asScala.map { url =>
        Seq("jar", s"${read(url).getProperty("version")} $url")
      }
  }

  private def read(url: java.net.URL): Properties = {
    val properties = new Properties
    val in = url.openStream()
    try properties.load(in)
    finally in.close()
    properties
  }
}
