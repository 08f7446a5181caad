// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.io.{DataInput, DataOutput, ObjectInput, ObjectOutput}

import org.apache.hadoop.io.Writable

import org.apache.spark.{SerializableWritable, SparkContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/**
 * A set of keys as a broadcast, for the tasks. It is broadcast in a class of Spark's that Spark
 * registers with Kryo and writes by Java serialization, so that it also works if
 * `spark.kryo.registrationRequired` is set.
 *
 * Plans refer to keys by it only, and so do caches: Spark may then move the keys of a plan that
 * lasts, such as that of a cached table, from the driver's memory to disk.
 *
 * @param setClass
 *   the concrete class of the set
 * @param size
 *   [[KeySet.size]]
 * @param byteSize
 *   [[KeySet.byteSize]]
 * @param kind
 *   [[KeySet.kind]]
 */
private[sparksieve] final case class SharedKeys(
    broadcast: Broadcast[SerializableWritable[KeySetWritable]],
    setClass: String,
    size: Long,
    byteSize: Long,
    kind: String) {

  /** The keys: one copy on the driver and on each executor, as long as it is in memory. */
  def value: KeySet = broadcast.value.value.keys

  /** A field of generated code with the keys, of their concrete class: calls are bound early. */
  def field(ctx: CodegenContext): String = {
    val shared = ctx.addReferenceObj("sharedKeys", this, classOf[SharedKeys].getName)
    ctx.addMutableState(setClass, "keys", v => s"$v = ($setClass) $shared.value();", true)
  }
}

private[sparksieve] object SharedKeys {

  def apply(context: SparkContext, keys: KeySet): SharedKeys =
    SharedKeys(
      context.broadcast(new SerializableWritable(new KeySetWritable(keys))),
      keys.getClass.getName,
      keys.size,
      keys.byteSize,
      keys.kind)
}

/** A set of keys in the form that [[SerializableWritable]] writes, in a stream of objects. */
private[sparksieve] final class KeySetWritable(private var held: KeySet) extends Writable {

  /** For Hadoop, which fills the object afterwards. */
  def this() = this(null)

  def keys: KeySet = held

  override def write(out: DataOutput): Unit = out match {
    case objects: ObjectOutput => objects.writeObject(held)
    case other => throw new IllegalStateException(s"${other.getClass.getName} takes no objects.")
  }

  override def readFields(in: DataInput): Unit = in match {
    case objects: ObjectInput => held = objects.readObject().asInstanceOf[KeySet]
    case other => throw new IllegalStateException(s"${other.getClass.getName} has no objects.")
  }
}
