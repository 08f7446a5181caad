// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sieve

import org.apache.spark.{SparkConf, SparkContext}

/**
 * A context that takes closures as they are. Spark looks for what they refer to and do not need in
 * the code of their classes, each time, which took an eighth of the tester's time; functions of
 * compiled code have nothing of the kind.
 */
final class PlainContext(conf: SparkConf) extends SparkContext(conf) {

  override private[spark] def clean[F <: AnyRef](f: F, checkSerializable: Boolean): F = f
}
