package io.sparksieve.upstream

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/**
 * A suite of Spark's that is run with Sieve on, or a part of one.
 *
 * @param name
 *   of its class below `org.apache.spark.sql`; of the suite whose tests are files, which takes as
 *   long as a third of all, `SQLQueryTestSuite#0` to `#2` are the parts
 * @param cost
 *   about how many seconds it takes
 */
final case class Suite(name: String, cost: Int) {

  def className: String = "org.apache.spark.sql." + name.takeWhile(_ != '#')

  /** The number of the part; None if it is the whole suite. */
  def part: Option[Int] = name.split('#').lift(1).map(_.toInt)
}

object Suite {

  private val Parts = 3

  /** In which part the test of the file `input`, or another test over that file, is. */
  def partOf(input: String): Int =
    Math.floorMod(input.replaceAll("(\\.(sql|test)).*", "$1").hashCode, Parts)
}

/** The list `suites.txt`: a line for each suite, its cost and its name. */
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
 * The list `exceptions.txt` of tests that may fail with Sieve on: `suite :: test :: message :: reason`
 * in a line.
 */
object Exceptions {

  /**
   * @param test
   *   the name of the test, or `*` for each of the suite
   * @param message
   *   what the message must contain: the same test may fail for another reason, and must not then
   */
  final case class Entry(suite: String, test: String, message: String, reason: String) {

    def explains(suite: String, test: String, message: String): Boolean =
      this.suite == suite && (this.test == test || this.test == "*") &&
        message.contains(this.message)
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
