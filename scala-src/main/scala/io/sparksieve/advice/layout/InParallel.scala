// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import java.util.stream.Collectors

import scala.jdk.CollectionConverters._

/** Computes results on the JVM's common threads, in the order of the items. */
private[advice] object InParallel {

  def apply[A, B](items: Seq[A])(compute: A => B): Seq[B] =
    items.asJava.parallelStream.map[B](compute(_)).collect(Collectors.toList[B]).asScala.toSeq
}
