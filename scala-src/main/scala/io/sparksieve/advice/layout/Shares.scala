// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

/** Shares that a query reads, from 0 to 1: of a table's files, row groups and bytes. */
private[sparksieve] final case class Shares(files: Double, rowGroups: Double, bytes: Double)

private[sparksieve] object Shares {

  /** Everything is read. */
  val All: Shares = Shares(1, 1, 1)

  /** The mean of some shares; the weights need not add up to 1, but to more than 0. */
  def mean(weighted: Seq[(Double, Shares)]): Shares = {
    val total = weighted.map(_._1).sum
    def of(part: Shares => Double) = weighted.map { case (w, s) => w * part(s) }.sum / total
    Shares(of(_.files), of(_.rowGroups), of(_.bytes))
  }
}

/** @param bytes the size of the files */
private[sparksieve] final case class TableSize(files: Int, rowGroups: Int, rows: Long, bytes: Long)
