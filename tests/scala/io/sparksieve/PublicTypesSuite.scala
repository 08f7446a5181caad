// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/**
 * Types are private to the narrowest package that uses them. Public are those that users name: in a
 * config, in Scala code, or in the handler of an exception.
 *
 * Read from the sources, because in class files all types that are private to a package are public.
 */
class PublicTypesSuite extends AnyFunSuite {

  private val public = Set(
    "io.sparksieve.SieveExtensions",
    "io.sparksieve.bulkfilter.api.BulkFilter",
    "io.sparksieve.bulkfilter.api.BulkFilterNode",
    "io.sparksieve.bulkfilter.api.BulkFilterWithPoints",
    "io.sparksieve.bulkfilter.api.Exclude",
    "io.sparksieve.bulkfilter.api.Include",
    "io.sparksieve.bulkfilter.api.ProjectionBulkFilter",
    "io.sparksieve.bulkfilter.api.ProjectionBulkFilterWithPoints",
    "io.sparksieve.bulkfilter.load.InvalidKeyException",
    "io.sparksieve.bulkfilter.load.KeysTooLargeException",
    "io.sparksieve.bulkfilter.source.KeyFileException",
    "io.sparksieve.rangesource.RangeDbCatalog",
    "io.sparksieve.rangesource.RangeDbSource",
    "io.sparksieve.rangesource.RangeDbV1Source"
  )

  private val Package = raw"(?m)^package (\S+)".r
  private val Definition =
    raw"(?m)^(?:(?:final|sealed|abstract|case|implicit) )*(?:class|object|trait) (\w+)".r

  private def sources: Seq[Path] = {
    val found = Files.walk(Paths.get("scala-src", "main"))
    try found.iterator.asScala.filter(_.toString.endsWith(".scala")).toList
    finally found.close()
  }

  /** The public top-level types of a file; the types in Spark's packages extend Spark itself. */
  private def publicIn(file: Path): Seq[String] = {
    val code = Files.readString(file)
    val name = Package.findFirstMatchIn(code).fold("")(_.group(1))
    if (name.startsWith("org.apache.spark.")) Nil
    else Definition.findAllMatchIn(code).map(d => s"$name.${d.group(1)}").toSeq
  }

  test("public types are those that users name") {
    assert(sources.size > 100)
    assert(sources.flatMap(publicIn).toSet == public)
  }
}
