// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Not, Or, PredicateHelper}

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{FileKeys, LoadKeysExec, LoadedKeys}
import io.sparksieve.common.Numbers

/**
 * Shows predicates in reports: a letter for each leaf and file, what each letter stands for, and
 * the points.
 */
private[bulkfilter] object ShowTree extends PredicateHelper {

  /** @param written the predicate as given to the optimizer @param run the predicate as it runs */
  def apply(written: Expression, run: Expression): String = {
    val leaves = InFile.in(written).distinct
    val files = leaves.flatMap(l => l.members.leaves.map(f => (l.keys, f))).distinct
    val letters = files.zipWithIndex.map { case (file, i) => file -> letter(i) }.toMap
    val said = files.map { case file @ (keys, f) =>
      s"${letters(file)} = ${keys.map(_.sql).mkString(", ")} in ${f.source.label}${size(f)}"
    }
    s"as given to the optimizer: ${tree(written, letters)}, ${points(written)}; as it runs: " +
      s"${tree(run, letters)}, ${points(run)}; where ${said.mkString("; ")}"
  }

  private def points(e: Expression) = s"${Numbers.significant(Points(e), 4)} points"

  private def letter(i: Int): String =
    if (i < 26) ('A' + i).toChar.toString else letter(i / 26 - 1) + letter(i % 26)

  private def size(file: FileKeys) = file.entry.flatMap(_.known) match {
    case Some(loaded: LoadedKeys) => s" (${LoadKeysExec.say(loaded)})"
    case _ => ""
  }

  private def tree(e: Expression, letters: Map[(Seq[Expression], FileKeys), String]): String = {
    def show(e: Expression, isInner: Boolean): String = e match {
      case and: And => joined(splitConjunctivePredicates(and), " and ", isInner)
      case or: Or => joined(splitDisjunctivePredicates(or), " or ", isInner)
      case Not(leaf: InFile) => s"not ${show(leaf, isInner = true)}"
      case Not(other) => s"not (${show(other, isInner = false)})"
      case InFile(keys, members) => members.show(f => letters.getOrElse((keys, f), f.source.label))
      case other if InFile.in(other).isEmpty => other.sql
      case other =>
        s"${other.prettyName}(${other.children.map(show(_, isInner = false)).mkString(", ")})"
    }
    def joined(parts: Seq[Expression], by: String, isInner: Boolean) = {
      val all = parts.map(show(_, isInner = true)).mkString(by)
      if (isInner) s"($all)" else all
    }
    show(e, isInner = false)
  }
}
