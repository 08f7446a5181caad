// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.table.Kind
import io.sparksieve.differential.table.Kind._

/** Values of join keys: more of each kind than the kind's own few literals. */
object KeyValues {

  /** The number of values that [[of]] distinguishes; kinds with fewer values repeat them. */
  val Count = 24

  /** Value `i` of a kind, as SQL; increases with `i` if the kind's order allows. */
  def of(kind: Kind, i: Int): String = {
    def day = f"2020-01-${i + 1}%02d"
    kind match {
      case Bool => if (i % 2 == 0) "FALSE" else "TRUE"
      case Int16 => s"${i}S"
      case Int32 => s"$i"
      case Int64 => s"${i}L"
      case Float32 => s"$i.0F"
      case Float64 => s"$i.0D"
      case Dec => s"$i.00BD"
      // Half of them are between two values of a smaller scale.
      case Wide => if (i % 2 == 0) s"$i.0000BD" else s"$i.0001BD"
      case Text | Padded => s"'$i'"
      case Day => s"DATE'$day'"
      // Some are finer than a millisecond.
      case Moment => s"TIMESTAMP'$day 00:00:00${if (i % 3 == 0) ".0005" else ""}'"
      case Ntz => s"TIMESTAMP_NTZ'$day 00:00:00'"
      case Bytes => f"X'61$i%02x'"
      case _: Rare | Mapped => kind.literals(i % kind.literals.length)
      case Struct => s"named_struct('i', $i, 'd', $i.0D)"
      case Collated(collation) =>
        // Each letter in two spellings.
        val letter = ('a' + i / 2).toChar
        s"CAST('${if (i % 2 == 0) letter.toUpper else letter}' AS STRING COLLATE $collation)"
    }
  }
}
