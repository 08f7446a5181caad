// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.Executors

import sbt.*
import sbt.Keys.*
import sbt.OutputStrategy.BufferedOutput
import sbt.complete.DefaultParsers.spaceDelimited

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.Duration

/** The tasks behind `./sbt wheel`, `docs`, `demo`, `configs`, `bench`, `differential` and so on. */
object SieveTasks {

  val wheel = taskKey[File]("Builds sdist and wheel with the thin jars of all lines into dist/.")
  val demoJar =
    taskKey[File]("Puts the thin jar of the pinned pyspark's line into the Python package.")
  val docs = taskKey[File]("Builds the documentation site into target/site.")
  val runConfigs =
    inputKey[Unit](
      "Writes what docs and package have from the code: configs, reasons, lines; --check compares.")
  val runBench = inputKey[Unit]("Runs the benchmarks of a feature.")
  val smoke = taskKey[Unit]("Runs the smoke suites.")
  val runDifferential = inputKey[Unit]("Runs the differential test of a feature.")
  val runSoak =
    inputKey[Unit]("Runs many sessions, streams and cancelled queries, and counts what is left.")
  val runUpstream = inputKey[Unit]("Runs suites of Spark's own with Sieve on.")

  /** Tasks over all lines, for the root project. */
  def root: Seq[Setting[?]] = Seq(
    wheel := {
      val base = baseDirectory.value
      val jars =
        (Compile / packageBin).all(ScopeFilter(inAnyProject -- inProjects(LocalRootProject))).value
      IO.delete(bundled(base))
      jars.foreach(jar => IO.copyFile(jar, bundled(base) / jar.getName))
      val dist = base / "dist"
      IO.delete((dist * "sparksieve-*").get())
      // Builds the wheel from the sdist, so that the sdist can be installed too.
      val words = Seq("-m", "build", "--no-isolation", "--outdir", dist.getPath, "python")
      if (!Python.run(base, Python.dev(base), "python", words))
        sys.error("The Python package could not be built: see the message above.")
      val file = (dist * s"sparksieve-${version.value}-*.whl").get().headOption
      file.getOrElse(sys.error(s"There is no wheel of version ${version.value}."))
    },
    docs := {
      val base = baseDirectory.value
      // Not quiet: then --strict would not count the warnings, and never fail.
      val words = Seq("build", "--strict")
      // Without the variable, the theme prints an advertisement.
      val quiet = "NO_MKDOCS_2_WARNING" -> "1"
      if (!Python.run(base, Python.docs(base), "mkdocs", words, quiet))
        sys.error("mkdocs could not build the documentation: see its message above.")
      streams.value.log.info("The documentation is target/site/index.html.")
      base / "target" / "site"
    },
    demoJar := {
      val base = baseDirectory.value
      val jar = (LocalProject(SparkVersions.pyspark.projectId) / Compile / packageBin).value
      IO.delete((bundled(base) * s"sparksieve-spark-${SparkVersions.pyspark.minor}_*.jar").get())
      IO.copyFile(jar, bundled(base) / jar.getName)
      bundled(base) / jar.getName
    }
  )

  /** Tasks of one line. */
  def line(line: SparkLine): Seq[Setting[?]] = Seq(
    Test / smoke := (Test / testOnly).toTask(" *SmokeSuite").value,
    runConfigs := runMain(
      "io.sparksieve.GeneratedDocs",
      heap = "1g",
      generatedDocs,
      after = LineDocs.update).evaluated,
    runBench := runMain(
      "io.sparksieve.bench.Main",
      heap = "8g",
      jvm = benchOptions,
      after = benchPlots).evaluated,
    runDifferential := runMain(
      Differential,
      heap = "7g",
      jvm = (root, words) =>
        (if (isLong(words)) longRuns else SieveBuild.briefRuns) ++ pythonOf(root, line)).evaluated,
    runSoak := runMain(
      "io.sparksieve.soak.Main",
      heap = "2g",
      jvm = (_, _) => SieveBuild.briefRuns).evaluated,
    runUpstream := runMain("io.sparksieve.upstream.Main", heap = "300m").evaluated
  )

  /** The jars inside the Python package's sources; git ignores them. */
  private def bundled(root: File): File = root / "python" / "src" / "sparksieve" / "jars"

  private val generatedDocs =
    Seq("docs/configuration.md", "python/src/sparksieve/configs.json", "docs/reasons.json")

  /** The features whose benchmarks need the Python whose packages generate TPC-DS tables. */
  private val withTpcDs = Set("dynamicfilter", "advise")

  private def benchOptions(root: File, words: Seq[String]): Seq[String] =
    if (words.headOption.exists(withTpcDs) && !words.contains("--list"))
      Seq(s"-Dsieve.bench.python=${Python.bench(root) / "bin" / "python"}")
    else Nil

  /** If there is a Python with the line's pyspark, queries call Python functions too. */
  private def pythonOf(root: File, line: SparkLine): Seq[String] =
    Python.made(root, line).map(venv => s"-Dsieve.python=${venv / "bin" / "python"}").toSeq

  /** Whether a differential test has a thousand queries or more. */
  private def isLong(words: Seq[String]): Boolean =
    words.sliding(2).exists {
      case Seq("--queries", n) => n.forall(_.isDigit) && n.length > 3
      case _ => false
    }

  /** A large heap saves most of the garbage collector's time: parsers keep what they have seen. */
  private val longRuns = SieveBuild.briefRuns ++ Seq("-Xms6g", "-Xmn4g")

  /** The features whose benchmark results are plotted. */
  private val plotted = Set("adaptivefilter", "bulkfilter")

  private def benchPlots(root: File, words: Seq[String]): Unit =
    if (words.headOption.exists(plotted) && !words.contains("--list"))
      Python.run(root, Python.bench(root), "python", "tests/bench/plots.py" +: words)

  /**
   * Runs `main` on the test classpath in its own JVM, with the arguments `first` and then the words
   * of the command line. `jvm` computes options of the JVM from the root folder and these
   * arguments; `after` runs afterwards, unless `main` failed.
   */
  private def runMain(
      main: String,
      heap: String,
      first: Seq[String] = Nil,
      jvm: (File, Seq[String]) => Seq[String] = (_, _) => Nil,
      after: (File, Seq[String]) => Unit = (_, _) => ()
  ): Def.Initialize[InputTask[Unit]] =
    Def.inputTask {
      val words = first ++ spaceDelimited("<arg>").parsed
      val classpath = (Test / fullClasspath).value
      val root = (LocalRootProject / baseDirectory).value
      val options = (run / javaOptions).value ++ jvm(root, words) :+ s"-Xmx$heap"
      val code = fork(root, options, classpath, main, words, OutputStrategy.StdoutOutput)
      if (code != 0) throw new MessageOnlyException(s"$main ended with exit code $code.")
      after(root, words)
    }

  def fork(
      root: File,
      options: Seq[String],
      classpath: Classpath,
      main: String,
      words: Seq[String],
      output: OutputStrategy): Int = {
    val forked = ForkOptions()
      .withRunJVMOptions(options.toVector)
      .withWorkingDirectory(root)
      .withOutputStrategy(output)
    val path = classpath.files.mkString(java.io.File.pathSeparator)
    Fork.java(forked, Seq("-cp", path, main) ++ words)
  }

  /**
   * Runs the differential tests of several features, each with its number of queries, two at a
   * time. The output of a test is printed when the test has ended.
   *
   * @return
   *   for each feature, whether the test found no difference
   */
  def differential(state: State, features: Seq[(String, Int)]): Seq[Boolean] = {
    val project = LocalProject(SparkVersions.default.projectId)
    val extracted = Project.extract(state)
    val (_, classpath) = extracted.runTask(project / Test / fullClasspath, state)
    val (_, general) = extracted.runTask(project / run / javaOptions, state)
    val root = extracted.get(LocalRootProject / baseDirectory)
    val options = general ++ SieveBuild.briefRuns ++ pythonOf(root, SparkVersions.default)
    val two = Executors.newFixedThreadPool(2)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(two)
    val runs = features.map { case (feature, queries) =>
      Future {
        val words = Seq(feature, "--queries", queries.toString)
        fork(root, options, classpath, Differential, words, BufferedOutput(state.log)) == 0
      }
    }
    try runs.map(Await.result(_, Duration.Inf))
    finally two.shutdown()
  }

  private val Differential = "io.sparksieve.differential.Main"
}
