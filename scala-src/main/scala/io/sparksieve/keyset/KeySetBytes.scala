// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import io.sparksieve.common.JavaBytes

/** Serialises sets of keys to send them from the tasks to the driver. */
private[sparksieve] object KeySetBytes {

  def encode(keys: KeySet): Array[Byte] = JavaBytes.encode(keys, keys.byteSize + 1024)

  def decode(bytes: Array[Byte]): KeySet = JavaBytes.decode[KeySet](bytes)
}
