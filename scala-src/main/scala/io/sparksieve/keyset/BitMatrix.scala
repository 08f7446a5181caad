package io.sparksieve.keyset

/** Matrices of bits as longs: bit j of long i is row i, column j. */
private[sparksieve] object BitMatrix {

  /**
   * Turns 64 rows of `width` columns into `width` rows of 64 columns, in the first places of the
   * same array. In steps that swap squares: those off the diagonal of larger ones, then of those
   * within them.
   *
   * @param rows
   *   64 longs; what is beyond `width` bits must be 0
   * @param width
   *   a power of two, 64 at most
   */
  def transpose(rows: Array[Long], width: Int): Unit = {
    var step = 32
    // What these steps would swap is 0 on one side.
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
        // The next whose bit of `step` is 0.
        i = i + step + 1 & ~step
      }
      step >>= 1
      mask ^= mask << step
    }
  }
}
