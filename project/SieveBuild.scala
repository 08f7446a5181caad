// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*

/**
 * Settings of the sbt projects: one for each Spark line. All share the same sources, each has its
 * own target folder.
 */
object SieveBuild {

  /** The line that commands without a project act on: 4.2 unless `-Dspark.line` names another. */
  lazy val chosenLine: SparkLine =
    sys.props.get("spark.line").fold(SparkVersions.default)(SparkVersions(_))

  /** The sbt projects of all lines. */
  lazy val lines: CompositeProject = new CompositeProject {
    val componentProjects: Seq[Project] = SparkVersions.all.map(project)
  }

  /** The version, which only the Python package states. */
  def projectVersion(root: File): String = {
    val file = root / "python" / "src" / "sparksieve" / "_version.py"
    """__version__\s*=\s*"([^"]+)"""".r
      .findFirstMatchIn(IO.read(file))
      .fold(sys.error(s"$file does not set __version__."))(_.group(1))
  }

  private def project(line: SparkLine): Project =
    Project(line.projectId, file(s"target/${line.projectId}")).settings(
      name := s"sparksieve-spark-${line.minor}",
      scalaVersion := line.scala,
      crossPaths := true,
      autoScalaLibrary := line.jars == FromMaven,
      target := baseDirectory.value,
      // scalafix reads the shared sources on one line only. The plugin's default version of
      // SemanticDB does not support Scala 2.13.18.
      semanticdbEnabled := line == SparkVersions.default,
      semanticdbVersion := "4.14.2",
      scalacOptions ++= CompilerOptions.of(line),
      Compile / scalacOptions ++= Seq("-release", line.javaRelease.toString),
      Test / scalacOptions ++= Seq("-release", "17"),
      // So that mutations, which may leave code unused, compile without compiling everything again.
      incOptions ~= (_.withIgnoredScalacOptions(CompilerOptions.fatal.toArray)),
      sources(line),
      dependencies(line),
      runs(line),
      packaging(line),
      Publishing.line(line),
      SieveTasks.line(line)
    )

  private def rootDir = LocalRootProject / baseDirectory

  private def sources(line: SparkLine): Def.SettingsDefinition = {
    def folders(parent: File) =
      (parent / "scala" +: line.shimFolders.map(parent / _)).filter(_.isDirectory)
    Seq(
      Compile / unmanagedSourceDirectories := folders(rootDir.value / "scala-src" / "main"),
      Compile / unmanagedResourceDirectories := Seq(
        rootDir.value / "scala-src" / "main" / "resources"
      ),
      Test / unmanagedSourceDirectories := folders(rootDir.value / "tests") ++
        Seq("differential", "bench", "soak", "upstream").map(rootDir.value / "tests" / _),
      Test / unmanagedResourceDirectories := Seq(rootDir.value / "tests" / "resources")
    )
  }

  private def dependencies(line: SparkLine): Def.SettingsDefinition = {
    val spark: Def.SettingsDefinition = line.jars match {
      case FromMaven =>
        libraryDependencies ++= Seq("core", "catalyst", "sql").map { module =>
          "org.apache.spark" %% s"spark-$module" % line.spark % Provided
        }
      case FromPyspark(_) =>
        Compile / unmanagedJars ++= Python.sparkJars(rootDir.value).classpath
    }
    val harness = line.jars match {
      case FromMaven => line.spark
      case FromPyspark(harness) => harness
    }
    // Spark's own PlanTest, QueryTest and SharedSparkSession. Intransitive, because the line itself
    // brings Spark.
    val modules = Seq("core", "catalyst", "sql", "common-utils") ++
      Option("sql-api").filterNot(_ => harness.startsWith("3."))
    val tests = modules.map { module =>
      ("org.apache.spark" %% s"spark-$module" % harness % Test).classifier("tests").intransitive()
    }
    // Reads the dependencies between packages from the compiled classes. The compiler of Spark 3.5
    // cannot read its classes, and the packages are those of all lines.
    val layers =
      if (line == SparkVersions.default) Seq("com.tngtech.archunit" % "archunit" % "1.4.1" % Test)
      else Nil
    val lakes = line.lakes.map(lake => (lake % Test).excludeAll(ExclusionRule("org.apache.spark")))
    // The database that Spark's distribution has, but that spark-sql from Maven does not bring.
    val derby = line.jars match {
      case FromMaven if line.minor == "3.5" =>
        Seq("org.apache.derby" % "derby" % "10.14.2.0" % Test)
      case FromMaven => Seq("org.apache.derby" % "derby" % "10.16.1.1" % Test)
      case FromPyspark(_) => Nil
    }
    spark.settings ++ Seq(
      libraryDependencies ++= tests ++ testLibraries ++ layers ++ lakes ++ derby)
  }

  /** The libraries of the tests, and those that the classes in Spark's test jars need. */
  private val testLibraries: Seq[ModuleID] = Seq(
    "org.scalatest" %% "scalatest" % "3.2.19" % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
    "com.github.scopt" %% "scopt" % "4.1.0" % Test,
    // The sources that DataSourceV2Suite reads use these for assertions; 3.5 uses the older one.
    "org.junit.jupiter" % "junit-jupiter-api" % "5.13.4" % Test,
    "junit" % "junit" % "4.13.2" % Test
  )

  /** The packages that Spark needs opened on Java 17; its own launcher opens the same. */
  private val addOpens: Seq[String] = Seq(
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "jdk.internal.ref",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar"
  ).map(p => s"--add-opens=java.base/$p=ALL-UNNAMED")

  /**
   * The suites of a line are divided among this many JVMs, of which build.sbt lets two run. Smoke
   * suites end before a second JVM would be warm.
   */
  private def testJvms(line: SparkLine): Int = if (line.full) 2 else 1

  private def shares(suites: Seq[TestDefinition], jvms: Int): Seq[Seq[TestDefinition]] =
    SuiteTimes.shares(suites.map(_.name), jvms).map { names =>
      suites.filter(suite => names.contains(suite.name)).sortBy(_.name)
    }

  private def state(line: SparkLine): String = s"target/${line.projectId}"

  private def warehouse(folder: String): String = s"$folder/spark-warehouse"

  private def ofJvm(line: SparkLine, jvm: Int): String = s"${state(line)}/jvm$jvm"

  /** The options by which a JVM writes its tables and databases into `folder`. */
  private def writesTo(folder: String): Seq[String] = Seq(
    s"-Dspark.sql.warehouse.dir=${warehouse(folder)}",
    s"-Dderby.system.home=$folder/derby",
    s"-Dsieve.state=$folder")

  /**
   * Options of every JVM that runs Spark; files that it leaves behind go to the line's target
   * folder.
   */
  private def jvmOptions(line: SparkLine): Def.Initialize[Seq[String]] = Def.setting {
    addOpens ++ writesTo(state(line)) ++ Seq(
      "-Djdk.reflect.useDirectMethodHandle=false",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dspark.ui.enabled=false",
      s"-Dlog4j2.configurationFile=${rootDir.value / "project" / "log4j2-test.properties"}"
    )
  }

  /**
   * Options of a JVM whose queries run only once or twice each, as in tests: there the optimizing
   * compiler takes a quarter of the processor's time and saves none. Without it, the default code
   * cache is 48 MB, which generated code of queries fills, so it is set to 256 MB. A heap that
   * starts small, and the default size of the metaspace, cost dozens of full collections.
   */
  val briefRuns: Seq[String] = Seq(
    "-Xms2g",
    "-Xmx3g",
    "-XX:MetaspaceSize=512m",
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:+UseParallelGC")

  private def runs(line: SparkLine): Def.SettingsDefinition = Seq(
    fork := true,
    run / connectInput := true,
    run / baseDirectory := rootDir.value,
    run / javaOptions := jvmOptions(line).value :+ "-Xmx3g",
    Test / baseDirectory := rootDir.value,
    // The JVMs of a line run at a time, and each runs one suite after another.
    Test / parallelExecution := true,
    Test / testForkedParallel := false,
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD"),
    Test / testListeners += new TestCounter(line),
    Test / testGrouping := {
      val root = rootDir.value
      // Tables that a killed run left behind would make `CREATE TABLE` fail in the next run.
      (0 until testJvms(line)).foreach(jvm => IO.delete(root / warehouse(ofJvm(line, jvm))))
      val options = (Test / forkOptions).value
      shares((Test / definedTests).value, testJvms(line)).zipWithIndex.map { case (suites, jvm) =>
        val own = options.withRunJVMOptions(options.runJVMOptions ++ writesTo(ofJvm(line, jvm)))
        Tests.Group(s"${line.id}, JVM $jvm", suites, Tests.SubProcess(own))
      }
    },
    // With these settings Spark's test helpers check more, and find their files.
    Test / javaOptions := jvmOptions(line).value ++ briefRuns ++
      Seq("-Dspark.testing=true", s"-Dspark.test.home=${rootDir.value}"),
    Test / run / javaOptions := (run / javaOptions).value,
    // Spark is Provided, so a main class runs with the test classpath, which has Spark.
    Compile / run := Defaults
      .runTask(
        Test / fullClasspath,
        Test / run / mainClass,
        Test / run / runner
      )
      .evaluated,
    Compile / runMain := Defaults.runMainTask(Test / fullClasspath, Test / run / runner).evaluated
  )

  private def packaging(line: SparkLine): Def.SettingsDefinition = Seq(
    Compile / packageBin / mappings += Publishing.licence(rootDir.value),
    Compile / packageBin / artifactPath :=
      target.value / s"${name.value}_${line.scalaBinary}-${version.value}.jar",
    Compile / resourceGenerators += Def.task {
      val file = (Compile / resourceManaged).value / "META-INF" / "sparksieve.properties"
      IO.write(
        file,
        s"version=${version.value}\nspark.line=${line.minor}\nscala.binary=${line.scalaBinary}\n"
      )
      Seq(file)
    }.taskValue
  )
}
