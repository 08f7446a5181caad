// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.io.{DataInput, DataOutput, ObjectInput, ObjectOutput}

import org.apache.hadoop.io.Writable

import org.apache.spark.{SerializableWritable, SparkContext}
import org.apache.spark.broadcast.Broadcast

/**
 * A set of keys as a broadcast, for the tasks. It is broadcast in a class of Spark's that Spark
 * registers with Kryo and writes by Java serialization, so that it also works if
 * `spark.kryo.registrationRequired` is set.
 */
private[sparksieve] final case class SharedKeys(
    broadcast: Broadcast[SerializableWritable[KeySetWritable]]) {

  /** The keys: on the driver the same object that was shared, on an executor one copy. */
  def value: KeySet = broadcast.value.value.keys
}

private[sparksieve] object SharedKeys {

  def apply(context: SparkContext, keys: KeySet): SharedKeys =
    SharedKeys(context.broadcast(new SerializableWritable(new KeySetWritable(keys))))
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
