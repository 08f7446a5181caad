// SPDX-License-Identifier: Apache-2.0
import com.jsuereth.sbtpgp.PgpKeys.pgpSigningKey
import com.typesafe.tools.mima.core.{Problem, ProblemFilters}
import com.typesafe.tools.mima.plugin.MimaKeys.*
import sbt.*
import sbt.Keys.*

/** Settings of the published artifacts: coordinates, POM, sources, documentation and signatures. */
object Publishing {

  /**
   * The release with which the public API must be compatible: after 0.1.0, `Some("0.1.0")`. The
   * property compares with another version, which may be in the local Ivy repository.
   */
  val previous: Option[String] = sys.props.get("sieve.previous").orElse(None)

  /** The GnuPG key that signs; without it, nothing is signed. */
  val signingKey: Option[String] = sys.env.get("SIEVE_SIGNING_KEY").filter(_.nonEmpty)

  /** The folder in which `./sbt release` collects everything that a release uploads. */
  def folder(root: File): File = root / "target" / "release"

  /** Settings of the whole build. */
  def build: Seq[Setting[?]] = Seq(
    organization := "io.sparksieve",
    organizationName := "Sieve",
    organizationHomepage := homepage.value,
    description := "Makes Apache Spark drop rows earlier, and never changes a result",
    homepage := address(rootDir.value, "Homepage"),
    scmInfo := address(rootDir.value, "Source").map(source => ScmInfo(source, s"scm:git:$source")),
    // Maven Central asks for developers; the project names itself.
    developers := homepage.value.toList.map(Developer("sieve", "Sieve", "", _)),
    licenses := Seq(License.Apache2),
    versionScheme := Some("early-semver"),
    pgpSigningKey := signingKey
  )

  /** sbt's `sonaUpload` reads this setting in this scope only. */
  def staging: Setting[?] =
    Global / localStaging := Some(MavenCache("release", folder(rootDir.value) / "maven"))

  /** Settings of one line. */
  def line(line: SparkLine): Seq[Setting[?]] = Seq(
    // sbt would replace the dot of the line.
    moduleName := name.value,
    publishTo := localStaging.value,
    publishMavenStyle := true,
    // Spark brings all that the jar needs, Scala's library included.
    makePomConfiguration := makePomConfiguration.value.withConfigurations(Vector(Provided)),
    Test / publishArtifact := false,
    Compile / packageSrc / mappings += licence(rootDir.value),
    Compile / packageDoc / mappings += licence(rootDir.value),
    // Scaladoc of 3.5's compilers fails in the search for unused code, which compiling has done;
    // that of 2.12 warns of links to the JDK.
    Compile / doc / scalacOptions ~=
      (_.filterNot(_.matches("-Wunused|-Xlint.*|-Ywarn.*|-Xfatal-warnings"))),
    Compile / doc / scalacOptions ++= Seq(
      "-doc-title",
      s"Sieve for Spark ${line.minor}",
      "-doc-version",
      version.value,
      // What extends Spark from within its packages is not for users.
      "-skip-packages",
      "org.apache.spark"
    ),
    mimaPreviousArtifacts :=
      previous.map(organization.value % s"${moduleName.value}_${line.scalaBinary}" % _).toSet,
    mimaFailOnNoPrevious := false,
    mimaBinaryIssueFilters += ProblemFilters.exclude[Problem]("org.apache.spark.*")
  )

  /** Where each jar has the licence. */
  def licence(root: File): (File, String) = root / "LICENSE" -> "META-INF/LICENSE"

  private def rootDir = LocalRootProject / baseDirectory

  /** The address with this name in the Python package's `[project.urls]`, the only place for it. */
  private def address(root: File, name: String): Option[URL] = {
    val section =
      IO.readLines(root / "python" / "pyproject.toml").dropWhile(_ != "[project.urls]").drop(1)
    val Address = s"""$name\\s*=\\s*"([^"]+)".*""".r
    section.takeWhile(!_.startsWith("[")).collectFirst { case Address(found) => url(found) }
  }
}
