// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import java.nio.file.{FileVisitOption, Files, Path}

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.Try

/** The names through which a local disk is read. */
private[files] object LocalNames {

  /** As on Linux. More are a circle. */
  private final val MostLinks = 40

  /**
   * The names that are needed to open `path`: each link on the way, by the directory in which it
   * lies, and as the last one where the way ends.
   */
  def apply(path: Path): Seq[Path] = {
    val absolute = path.toAbsolutePath
    walk(absolute.getRoot, parts(absolute), Vector.empty)
  }

  /** Also those of the links within a directory. If these form a circle, they may lead anywhere. */
  def within(path: Path): Seq[Path] =
    if (Files.exists(path)) (path +: Try(links(path)).getOrElse(Seq(path.getRoot))).flatMap(apply)
    else apply(path)

  private def links(directory: Path): Seq[Path] = {
    val all = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)
    try all.iterator.asScala.filter(Files.isSymbolicLink(_)).toVector
    finally all.close()
  }

  @tailrec
  private def walk(at: Path, rest: List[Path], links: Vector[Path]): Seq[Path] = rest match {
    // The disk's spelling of a name, if it has several.
    case Nil => links :+ Try(at.toRealPath()).getOrElse(at)
    case _ if links.size > MostLinks => links :+ at.getRoot
    case part :: more if part.toString == ".." =>
      walk(Option(at.getParent).getOrElse(at), more, links)
    case part :: more =>
      val next = at.resolve(part)
      if (Files.isSymbolicLink(next)) {
        val target = Files.readSymbolicLink(next)
        walk(Option(target.getRoot).getOrElse(at), parts(target) ++ more, links :+ next)
      } else walk(next, more, links)
  }

  private def parts(path: Path): List[Path] =
    path.iterator.asScala.filterNot(part => Set("", ".")(part.toString)).toList
}
