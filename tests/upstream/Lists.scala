// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/**
 * One of Spark's suites, or a part of a suite, that is run with Sieve on.
 *
 * @param name
 *   the name of the class below `org.apache.spark.sql`. The suite whose tests are files takes as
 *   long as a third of all suites, so it is split into the parts `SQLQueryTestSuite#0` to `#23`
 * @param cost
 *   about how many seconds the suite takes
 */
final case class Suite(name: String, cost: Int) {

  def className: String = "org.apache.spark.sql." + Suite.whole(name)

  /** The number of the part; None if it is the whole suite. */
  def part: Option[Int] = name.split('#').lift(1).map(_.toInt)
}

object Suite {

  private[upstream] val Parts = 24

  /** The name of the suite that a part belongs to. */
  def whole(name: String): String = name.takeWhile(_ != '#')

  /** The part that has the test of the file `input`, or another test over that file. */
  def partOf(input: String): Int =
    Math.floorMod(input.replaceAll("(\\.(sql|test)).*", "$1").hashCode, Parts)
}

/** Reads the list `suites.txt`, which has a line with cost and name for each suite. */
object Suites {

  def read(file: Path): Seq[Suite] = Lists.lines(file).map { line =>
    line.split("\\s+") match {
      case Array(cost, name) if cost.matches("[0-9]+") => Suite(name, cost.toInt)
      case _ => throw new IllegalArgumentException(s"$file: '$line' is not a cost and a suite.")
    }
  }

  /**
   * Puts each suite into one of `count` shares that cost about the same: the most expensive first,
   * each into the share that costs least so far. The same list always gives the same shares.
   */
  def shares(suites: Seq[Suite], count: Int): Seq[Seq[Suite]] =
    suites.sortBy(suite => (-suite.cost, suite.name)).foldLeft(Seq.fill(count)(Seq.empty[Suite])) {
      (shares, suite) =>
        val least = shares.indices.minBy(i => shares(i).map(_.cost).sum)
        shares.updated(least, shares(least) :+ suite)
    }
}

/**
 * Reads the list `exceptions.txt` of tests that may fail with Sieve on. Each line is
 * `suite :: test :: message :: reason`.
 */
object Exceptions {

  /**
   * @param test
   *   the name of the test, or `*` for every test of the suite
   * @param message
   *   text that the message must contain: the same test may fail for another reason, which is not
   *   excepted
   */
  final case class Entry(suite: String, test: String, message: String, reason: String) {

    def explains(suite: String, test: String, message: String): Boolean =
      Suite.whole(suite) == this.suite && (this.test == test || this.test == "*") &&
        message.contains(this.message)

    /** Whether a suite, or a part of a suite, has the test. */
    def isIn(suite: Suite): Boolean =
      Suite.whole(suite.name) == this.suite &&
        suite.part.forall(part => test == "*" || part == Suite.partOf(test))
  }

  def read(file: Path): Seq[Entry] = Lists.lines(file).map { line =>
    line.split(" :: ") match {
      case Array(suite, test, message, reason) => Entry(suite, test, message, reason)
      case _ =>
        throw new IllegalArgumentException(
          s"$file: '$line' is not suite :: test :: message :: reason.")
    }
  }
}

private object Lists {

  def lines(file: Path): Seq[String] =
    Files.readAllLines(file).asScala.toSeq.map(_.trim).filter(l => l.nonEmpty && !l.startsWith("#"))
}
