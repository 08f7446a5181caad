// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.sparksieve.keyset.masks.{BitMatrix, KeyMasks}

class BitMatrixSuite extends AnyFunSuite {

  test("rows become columns") {
    val random = new Random(1)
    for (width <- Seq(1, 2, 4, 8, 16, 32, 64); _ <- 1 to 50) {
      val rows = Array.fill(64)(random.nextLong() & KeyMasks.low(width))
      val turned = rows.clone()
      BitMatrix.transpose(turned, width)
      for (row <- 0 until 64; column <- 0 until width)
        assert((turned(column) >>> row & 1L) == (rows(row) >>> column & 1L), (width, row, column))
    }
  }
}
