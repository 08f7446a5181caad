package io.sparksieve.keyset

/** One set, asked as several are. */
final class MaskOfOne(set: LongKeySet) extends KeyMasks {

  override def size: Long = set.size

  override def width: Int = 1

  override def maskOf(key: Long): Long = if (set.contains(key)) 1L else 0L

  override def load(block: KeyBlock, count: Int, masks: Array[Long]): Unit = set match {
    case hashed: HashedKeySet =>
      hashed.find(block, count)
      var i = 0
      while (i < count) {
        masks(i) = block.found(i).toLong
        i += 1
      }
    case _ =>
      var i = 0
      while (i < count) {
        masks(i) = maskOf(block.keys(i))
        i += 1
      }
  }

  override def byteSize: Long = set.byteSize

  override def kind: String = set.kind
}
