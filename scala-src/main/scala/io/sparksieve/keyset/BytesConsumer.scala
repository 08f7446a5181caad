package io.sparksieve.keyset

/** Takes the `length` bytes at `offset` of `base`, as Spark's Platform addresses memory. */
private[sparksieve] trait BytesConsumer {
  def accept(base: Object, offset: Long, length: Int): Unit
}
