/** What scalac is asked: every lint that holds on both Scala versions, and no warning survives. */
object CompilerOptions {

  def of(line: SparkLine): Seq[String] =
    common ++ (if (line.scalaBinary == "2.12") scala212 else scala213)

  private val common =
    Seq("-encoding", "UTF-8", "-deprecation", "-feature", "-unchecked", "-explaintypes")

  // 2.12's infer-any warns where Any is what the expected type asks for; 2.13's does not.
  private val scala212 = Seq(
    "-Xlint:-infer-any,_",
    "-Xfatal-warnings",
    "-Ywarn-unused",
    "-Ywarn-dead-code",
    "-Ywarn-extra-implicit"
  )

  private val scala213 = Seq("-Xlint", "-Werror", "-Wunused", "-Wdead-code", "-Wextra-implicit")
}
