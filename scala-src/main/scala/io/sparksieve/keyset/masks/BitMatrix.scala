// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.masks

/** Matrices of bits as longs: bit j of long i is row i, column j. */
private[sparksieve] object BitMatrix {

  /**
   * Transposes 64 rows of `width` columns, in place, to `width` rows of 64 columns in the first
   * elements of the array. Each step swaps the two off-diagonal quarters of every square; the next
   * step does so for the squares of half the side length.
   *
   * @param rows
   *   64 longs; bits at `width` and above must be 0
   * @param width
   *   a power of two, 64 at most
   */
  def transpose(rows: Array[Long], width: Int): Unit = {
    var step = 32
    // In these steps one of the two squares to swap is all 0, so a shift and an OR suffice.
    while (step >= width) {
      var i = 0
      while (i < step) {
        rows(i) |= rows(i + step) << step
        i += 1
      }
      step >>= 1
    }
    var mask = -1L >>> 32
    var s = 32
    while (s > step) {
      s >>= 1
      mask ^= mask << s
    }
    while (step > 0) {
      var i = 0
      while (i < width) {
        val swapped = (rows(i) >>> step ^ rows(i + step)) & mask
        rows(i) ^= swapped << step
        rows(i + step) ^= swapped
        // The next row number whose bit `step` is 0.
        i = i + step + 1 & ~step
      }
      step >>= 1
      mask ^= mask << step
    }
  }
}
