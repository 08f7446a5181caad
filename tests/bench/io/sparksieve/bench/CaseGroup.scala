package io.sparksieve.bench

import java.nio.file.{Files, Path, Paths}

import scala.collection.immutable.SortedMap

import org.apache.spark.sql.SparkSessionExtensions

/**
 * Some cases of one room. An object that extends this in a package `io.sparksieve.bench.<room>` is
 * found by itself: a new room, or a new topic of one, is one new file.
 */
trait CaseGroup {

  /** Where among the room's groups this one comes. */
  def position: Int

  /** The cases for tables of up to `rows` rows. */
  def cases(rows: Long): Seq[Case]

  /** What the session with Sieve is extended by beside it: something to compare Sieve with. */
  def extensions: SparkSessionExtensions => Unit = _ => ()
}

/** Finds the objects that extend [[CaseGroup]]. */
object CaseGroups {

  private val Root = classOf[CaseGroup].getPackage.getName

  /** Groups by room. */
  def rooms: SortedMap[String, Seq[CaseGroup]] = {
    val found = for {
      folder <- children(classes) if Files.isDirectory(folder)
      file <- children(folder)
      name = file.getFileName.toString if name.endsWith("$.class")
      group <- instance(s"$Root.${folder.getFileName}.${name.stripSuffix(".class")}")
    } yield folder.getFileName.toString -> group
    SortedMap(
      found
        .groupBy(_._1)
        .map { case (room, groups) =>
          room -> groups.map(_._2).sortBy(_.position)
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
