// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.scalatest.funsuite.AnyFunSuite

class NumbersSuite extends AnyFunSuite {
  import Numbers._

  test("a noun agrees with its number") {
    assert(counted(0, "row") == "0 rows")
    assert(counted(1, "row") == "1 row")
    assert(counted(1234567, "row") == "1,234,567 rows")
    assert(counted(1, "query", "queries") == "1 query")
    assert(counted(2, "query", "queries") == "2 queries")
    assert(of(0, 1, "file") == "0 of 1 file")
    assert(of(1, 1000, "file") == "1 of 1,000 files")
  }

  test("decimals and shares") {
    assert(decimal(1234.56, 1) == "1,234.6" && decimal(0.4, 0) == "0")
    assert(significant(0.1, 4) == "0.1" && significant(2000, 4) == "2000")
    assert(significant(0.00123456, 4) == "0.001235" && significant(0, 4) == "0")
    assert(significant(Double.PositiveInfinity, 4) == "Infinity")
    assert(percent(0.1234) == "12.3 %" && percent(1) == "100.0 %")
    assert(time(999) == "999 ms" && time(1000) == "1.0 s" && time(480840) == "480.8 s")
  }
}
