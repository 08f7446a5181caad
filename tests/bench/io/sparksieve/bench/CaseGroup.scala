// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.{Files, Path, Paths}

import scala.collection.immutable.SortedMap

import org.apache.spark.sql.SparkSessionExtensions

/**
 * Cases of one feature. [[CaseGroups]] finds every object that extends this trait in a package
 * `io.sparksieve.bench.<feature>`: a new feature, or a new topic of a feature, is one new file.
 */
trait CaseGroup {

  /** The position of this group among the groups of its feature. */
  def position: Int

  /** The cases for tables of up to `rows` rows. */
  def cases(rows: Long): Seq[Case]

  /** Further extensions of the session that has Sieve, to compare Sieve with. */
  def extensions: SparkSessionExtensions => Unit = _ => ()
}

/** Finds the objects that extend [[CaseGroup]]. */
object CaseGroups {

  private val Root = classOf[CaseGroup].getPackage.getName

  /** Groups by feature. */
  def features: SortedMap[String, Seq[CaseGroup]] = {
    val found = for {
      folder <- children(classes) if Files.isDirectory(folder)
      file <- children(folder)
      name = file.getFileName.toString if name.endsWith("$.class")
      group <- instance(s"$Root.${folder.getFileName}.${name.stripSuffix(".class")}")
    } yield folder.getFileName.toString -> group
    SortedMap(
      found
        .groupBy(_._1)
        .map { case (feature, groups) =>
          feature -> groups.map(_._2).sortBy(_.position)
        }
        .toSeq: _*)
  }

  /** The folder of this package's class files. */
  private def classes: Path = {
    val url = classOf[CaseGroup].getResource(classOf[CaseGroup].getSimpleName + ".class")
    require(
      url.getProtocol == "file",
      s"The benchmarks run from a folder of classes, not from $url.")
    Paths.get(url.toURI).getParent
  }

  private def children(folder: Path): Seq[Path] = {
    val stream = Files.list(folder)
    try stream.toArray.toVector.map(_.asInstanceOf[Path]).sorted
    finally stream.close()
  }

  private def instance(className: String): Option[CaseGroup] = {
    val found = Class.forName(className, false, getClass.getClassLoader)
    if (!classOf[CaseGroup].isAssignableFrom(found)) None
    else Some(found.getField("MODULE$").get(null).asInstanceOf[CaseGroup])
  }
}
