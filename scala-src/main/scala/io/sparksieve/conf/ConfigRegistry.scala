// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import scala.util.Try

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.internal.SQLConf

/**
 * A documented config.
 *
 * @param key
 *   the full conf key
 * @param kind
 *   one of boolean, int, long, double, bytes, string
 * @param default
 *   the default as the user would write it
 * @param allowed
 *   the allowed values, in words
 */
private[conf] final case class Config(
    key: String,
    kind: String,
    default: String,
    allowed: String,
    doc: String,
    since: String)

/** Builds entries of Spark's SQLConf that check their values, and lists the documented entries. */
private[sparksieve] abstract class ConfigRegistry {

  /** All keys of Sieve start with this. */
  val Prefix = "spark.sieve."

  private val entries = Vector.newBuilder[Config]

  protected def switch(key: String, default: Boolean, doc: String, since: String) = {
    entries += Config(Prefix + key, "boolean", default.toString, "true or false", doc, since)
    boolean(Prefix + key, default, doc, since)
  }

  /** A switch that is read when the application starts; Spark refuses to set it later. */
  protected def atStart(key: String, default: Boolean, doc: String, since: String) = {
    entries += Config(Prefix + key, "boolean", default.toString, "true or false", doc, since)
    SQLConf
      .buildStaticConf(Prefix + key)
      .doc(doc)
      .version(since)
      .booleanConf
      .createWithDefault(default)
  }

  protected def boolean(name: String, default: Boolean, doc: String, since: String) =
    SQLConf.buildConf(name).doc(doc).version(since).booleanConf.createWithDefault(default)

  protected def bytes(
      key: String,
      default: String,
      doc: String,
      since: String,
      atLeast: Long = 0) = {
    val allowed = s"a size of $atLeast or more, such as 64MB"
    entries += Config(Prefix + key, "bytes", default, allowed, doc, since)
    // A string entry, because the error of Spark's own size entries does not name the config.
    SQLConf
      .buildConf(Prefix + key)
      .doc(doc)
      .version(since)
      .stringConf
      .checkValue(
        v => Try(size(v)).toOption.exists(_ >= atLeast),
        s"${Prefix + key} must be $allowed.")
      .createWithDefault(default)
  }

  protected def size(text: String): Long = {
    val bytes = JavaUtils.byteStringAsBytes(text)
    require(bytes >= 0)
    bytes
  }

  protected def count(key: String, default: Int, doc: String, since: String) = {
    entries += Config(Prefix + key, "int", default.toString, FromOne, doc, since)
    fromOne(Prefix + key, default, doc, since)
  }

  private final val FromOne = "a whole number of 1 or more"

  protected def fromOne(name: String, default: Int, doc: String, since: String) = SQLConf
    .buildConf(name)
    .doc(doc)
    .version(since)
    .intConf
    .checkValue(_ >= 1, s"$name must be $FromOne.")
    .createWithDefault(default)

  protected def share(key: String, default: Double, doc: String, since: String) = {
    entries += Config(Prefix + key, "double", default.toString, BelowOne, doc, since)
    belowOne(Prefix + key, default, doc, since)
  }

  private final val BelowOne = "a number of 0 or more and below 1"

  protected def belowOne(name: String, default: Double, doc: String, since: String) =
    double(name, default, doc, since, BelowOne)(v => v >= 0 && v < 1)

  protected def number(key: String, default: Double, doc: String, since: String) = {
    val allowed = "a number of 0 or more"
    entries += Config(Prefix + key, "double", default.toString, allowed, doc, since)
    double(Prefix + key, default, doc, since, allowed)(v => v >= 0 && !v.isInfinity)
  }

  private def double(name: String, default: Double, doc: String, since: String, allowed: String)(
      isAllowed: Double => Boolean) = SQLConf
    .buildConf(name)
    .doc(doc)
    .version(since)
    .doubleConf
    .checkValue(isAllowed, s"$name must be $allowed.")
    .createWithDefault(default)

  /** The first of `values` is the default. */
  protected def oneOf(key: String, values: Seq[String], doc: String, since: String) = {
    val allowed = s"one of ${values.mkString(", ")}"
    entries += Config(Prefix + key, "string", values.head, allowed, doc, since)
    SQLConf
      .buildConf(Prefix + key)
      .doc(doc)
      .version(since)
      .stringConf
      .checkValue(v => values.contains(v), s"${Prefix + key} must be $allowed.")
      .createWithDefault(values.head)
  }

  /** The documented configs that have been built so far. */
  protected def documented: Seq[Config] = entries.result()
}
