// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

/** Cuts texts that are too long to show. */
private[sparksieve] object Shorten {

  /** `text` if it has at most `most` characters, else its start and an ellipsis, `most` in all. */
  def apply(text: String, most: Int): String =
    if (text.length <= most) text else text.take(most - 1) + "…"
}
