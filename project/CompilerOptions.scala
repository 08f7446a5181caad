// SPDX-License-Identifier: Apache-2.0
/** The options of scalac: every lint that works on both Scala versions; warnings are errors. */
object CompilerOptions {

  def of(line: SparkLine): Seq[String] =
    common ++ (if (line.scalaBinary == "2.12") scala212 else scala213)

  /** The options that make warnings errors. */
  val fatal: Seq[String] = Seq("-Xfatal-warnings", "-Werror")

  private val common =
    Seq("-encoding", "UTF-8", "-deprecation", "-feature", "-unchecked", "-explaintypes")

  // In 2.12, infer-any warns even if the expected type is Any; in 2.13 it does not.
  private val scala212 = Seq(
    "-Xlint:-infer-any,_",
    "-Xfatal-warnings",
    "-Ywarn-unused",
    "-Ywarn-dead-code",
    "-Ywarn-extra-implicit"
  )

  private val scala213 = Seq("-Xlint", "-Werror", "-Wunused", "-Wdead-code", "-Wextra-implicit")
}
