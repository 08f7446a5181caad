// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.domain.{JavaClass, JavaClasses}
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices
import org.scalatest.funsuite.AnyFunSuite

/**
 * The layers of `ARCHITECTURE.md`, read from the compiled classes: a package depends only on the
 * layers below its own, no feature depends on another one, and no packages form a cycle.
 */
class LayersSuite extends AnyFunSuite {

  /** The layers from top to bottom; the packages of one layer do not depend on each other. */
  private val layers: Seq[Set[String]] = Seq(
    Set("wiring"),
    Set("report.sql", "report.ui"),
    Set("advice"),
    Set("setop", "dynamicfilter", "adaptivefilter", "bulkfilter", "rangesource", "pushdown"),
    Set("scan"),
    Set("keyset"),
    Set("report.core"),
    Set("common", "conf"),
    Set("compat")
  )

  private lazy val classes: JavaClasses = new ClassFileImporter()
    .importUrl(classOf[SieveExtensions].getProtectionDomain.getCodeSource.getLocation)

  /** The layer's package for a class of ours; Spark's private API is reached through `compat`. */
  private def packageOf(c: JavaClass): Option[String] = {
    val name = c.getPackageName
    if (name.startsWith("org.apache.spark.") && name.endsWith(".sieve")) Some("compat")
    else if (name == "io.sparksieve") Some("wiring")
    else if (!name.startsWith("io.sparksieve.")) None
    else {
      val below = name.stripPrefix("io.sparksieve.")
      layers.flatten.find(p => below == p || below.startsWith(p + ".")).orElse(Some(below))
    }
  }

  private def file(c: JavaClass): String =
    c.getPackageName.replace('.', '/') + "/" +
      c.getSource.flatMap(_.getFileName).orElse(c.getSimpleName)

  private def level(name: String): Int = layers.indexWhere(_(name))

  test("every package belongs to a layer") {
    val packages = classes.asScala.flatMap(packageOf).toSet
    assert(packages == layers.flatten.toSet)
  }

  test("a package depends only on the layers below it") {
    val wrong = for {
      from <- classes.asScala.toSeq
      source <- packageOf(from).toSeq
      dependency <- from.getDirectDependenciesFromSelf.asScala.toSeq
      to = dependency.getTargetClass
      target <- packageOf(to)
      if source != target && level(target) <= level(source)
    } yield s"${file(from)} ($source) depends on ${file(to)} ($target)"
    assert(wrong.isEmpty, wrong.distinct.sorted.mkString("\n", "\n", "\n"))
  }

  test("no cycle between packages") {
    slices().matching("io.sparksieve.(**)").should().beFreeOfCycles().check(classes)
  }
}
