// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.sieve.Residue

/** What the soak finds too much. */
class GrowthSuite extends AnyFunSuite {

  private val early =
    Residue(100L << 20, Map("listeners" -> 5L, "classes" -> 9000L), Map("sieve-keys-N" -> 1))

  private def beyond(late: Residue, other: Residue = early) =
    Growth(early, late).beyond(Growth(early, other))

  test("what stays as it is, or grows as it does without Sieve") {
    assert(beyond(early).isEmpty)
    val more = early.copy(heap = 200L << 20, counts = Map("listeners" -> 50L, "classes" -> 9900L))
    assert(beyond(more, more).isEmpty)
    assert(beyond(early.copy(heap = 1), more).isEmpty)
  }

  test("each kind of growth is named") {
    assert(
      beyond(early.copy(heap = 110L << 20)) == Seq(
        "the heap grew by 10240 KB, without Sieve by 0 KB"))
    assert(
      beyond(early.copy(counts = early.counts + ("listeners" -> 11L))) == Seq(
        "listeners grew by 6, without Sieve by 0"))
    assert(
      beyond(early.copy(counts = early.counts + ("classes" -> 9201L))) == Seq(
        "classes grew by 201, without Sieve by 0"))
    assert(
      beyond(early.copy(threads = Map("sieve-keys-N" -> 4, "broadcast-N" -> 90))) == Seq(
        "4 threads sieve-keys-N, 1 before"))
  }

  test("where much grows without Sieve, a little more grows with it") {
    def listeners(n: Long) = early.copy(counts = early.counts + ("listeners" -> n))
    assert(beyond(listeners(5 + 55), listeners(5 + 40)).isEmpty)
    assert(
      beyond(listeners(5 + 56), listeners(5 + 40)) == Seq(
        "listeners grew by 56, without Sieve by 40"))
  }

  test("a decrease without Sieve does not make growth of nothing") {
    assert(beyond(early.copy(heap = early.heap + 1), early.copy(heap = 1)).isEmpty)
  }
}
