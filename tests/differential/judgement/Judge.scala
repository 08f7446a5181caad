// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{
  CTERelationRef,
  LeafNode,
  LocalRelation,
  LogicalPlan,
  OneRowRelation
}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

import io.sparksieve.Confs
import io.sparksieve.differential.{Answer, Query}
import io.sparksieve.report.core.Reason

/** The outcome of the two runs of a query. */
sealed trait Finding

object Finding {

  /** The results are the same without and with Sieve. */
  case object Same extends Finding

  /**
   * The results differ, and the oracle agrees with Sieve; or Spark itself fails on a scan that it
   * reads only with Sieve.
   *
   * @param known
   *   the known bug of Spark
   */
  final case class SparkWrong(known: KnownOfSpark, detail: String) extends Finding

  /** Both runs return the same rows, and the oracle returns others: not a bug of Sieve. */
  final case class BothWrong(known: Option[KnownOfSpark], detail: String) extends Finding

  /** The query fails without Sieve, but not with Sieve. */
  case object ErrorGone extends Finding

  /** Both runs fail. */
  case object BothFail extends Finding

  /** The run with Sieve is wrong. */
  final case class Wrong(what: String, detail: String) extends Finding
}

/** Compares the two runs of a query, and evaluates its oracle if they differ. */
final class Judge(spark: SparkSession, runs: Runs, truths: Truth) {

  /** @param alwaysAsk evaluate the oracle even if the runs agree */
  def apply(query: Query, off: Run, on: Run, alwaysAsk: Boolean): Finding = {
    lazy val truth = oracle(query)
    def same(a: Answer, b: Answer) =
      a.counts(query.mergesStrings) == b.counts(query.mergesStrings)
    val plain = internalError(off, on).orElse(uncompiled(off, on)).orElse(schemas(off, on))
    plain.orElse(readAnew(query, off, on)).getOrElse {
      (off.rows, on.rows) match {
        case (Left(e), Left(f))
            if Judge.isNew(e, f) && !Symptoms.isOfSparksOrc(f) && !isUnreadable(f, truth) &&
              !mayFailAlike(query, f) =>
          Finding.Wrong("another error", s"off: $e\non: ${Judge.trace(f)}")
        case (Left(_), Left(_)) => Finding.BothFail
        case (Right(_), Left(e)) if Symptoms.isOfSparksOrc(e) =>
          Finding.SparkWrong(KnownOfSpark.OrcNullInList, Judge.trace(e))
        case (Right(_), Left(e)) if Symptoms.isOfSparksConditions(e) =>
          Finding.SparkWrong(KnownOfSpark.NullInSourceCondition, Judge.trace(e))
        case (Right(_), Left(e)) if isUnreadable(e, truth) =>
          Finding.SparkWrong(KnownOfSpark.UnreadableFile, Judge.trace(e))
        case (Right(_), Left(e)) if Judge.isOfData(e) && mayFailAlike(query, e) =>
          Finding.SparkWrong(KnownOfSpark.CancelledStage, Judge.trace(e))
        case (Right(_), Left(e)) => Finding.Wrong("a new error", Judge.trace(e))
        case (Left(_), Right(a)) =>
          truth match {
            case Right(t) if !same(t, a) => Finding.Wrong("wrong rows", Judge.both("oracle", t, a))
            case _ => Finding.ErrorGone
          }
        case (Right(a), Right(b)) if same(a, b) =>
          if (!alwaysAsk) silent(query, off, on).getOrElse(Finding.Same)
          else {
            truth match {
              case Right(t) if !same(t, b) =>
                val known = explained(query, t).orElse(Symptoms.corrupt(off))
                Finding.BothWrong(known, Judge.both("oracle", t, b))
              case _ => silent(query, off, on).getOrElse(Finding.Same)
            }
          }
        case (Right(a), Right(_)) if !query.hasOneAnswer && !again(query).exists(same(_, a)) =>
          Finding.Same
        case (Right(a), Right(b)) =>
          val detail = Judge.both("off", a, b)
          truth match {
            case Right(t) if same(t, b) =>
              explained(query, t) match {
                case Some(known) => Finding.SparkWrong(known, detail)
                case None => Finding.Wrong("Spark wrong for a reason that is not known", detail)
              }
            case Right(t) if ofOneRow(query).exists(same(_, t)) =>
              Finding.SparkWrong(KnownOfSpark.OneRow, detail)
            case Right(t) => Finding.Wrong("wrong rows", s"$detail\noracle:\n${t.show}")
            case Left(e) => Finding.Wrong("other rows, and no oracle", s"$detail\noracle: $e")
          }
      }
    }
  }

  /** Whether a file failed as soon as it was read, which the oracle reads too. */
  private def isUnreadable(e: Throwable, truth: => Either[Throwable, Answer]) =
    Symptoms.isUnreadable(e) && truth.fold(Symptoms.isUnreadable, _ => false)

  /** The rows of another run without Sieve. */
  private def again(query: Query): Option[Answer] =
    runs.sieve(on = false)(query.dataFrame(spark)).rows.toOption

  /**
   * Whether the query fails alike without Sieve where Spark cancels no stages, or in one of a few
   * more runs: a stage may fail before Spark knows that it is useless.
   */
  private def mayFailAlike(query: Query, on: Throwable): Boolean = {
    def failsAlike = runs
      .sieve(on = false)(query.dataFrame(spark))
      .rows
      .fold(e => Judge.root(e).getClass == Judge.root(on).getClass, _ => false)
    Confs.during(spark, KnownOfSpark.CancelledStage.without)(failsAlike) ||
    Iterator.fill(5)(failsAlike).contains(true)
  }

  /** The rows with Sieve where adaptive execution aggregates also a single row. */
  private def ofOneRow(query: Query): Option[Answer] =
    Confs.during(spark, KnownOfSpark.OneRow.without) {
      runs.sieve(on = true)(query.dataFrame(spark)).rows.toOption
    }

  private def oracle(query: Query): Either[Throwable, Answer] =
    try Right(query.oracle(spark, truths(_)))
    catch { case NonFatal(e) => Left(e) }

  /** The known bug that explains why Spark without Sieve does not return `truth`. */
  private def explained(query: Query, truth: Answer): Option[KnownOfSpark] =
    KnownOfSpark.explaining(
      spark,
      () => runs.sieve(on = false)(query.dataFrame(spark)),
      _.rows.exists(_.counts(query.mergesStrings) == truth.counts(query.mergesStrings)))

  /** Finds a rule that failed, unless Spark without Sieve fails in the same way, if later. */
  private def internalError(off: Run, on: Run): Option[Finding] =
    on.verdicts
      .find(_.reason.contains(Reason.InternalError))
      .filterNot(e =>
        off.rows.left.exists(f => e.detail.startsWith(Judge.root(f).getClass.getName)))
      .map(e => Finding.Wrong("a rule failed", s"${e.rule}: ${e.detail}"))

  private def uncompiled(off: Run, on: Run): Option[Finding] =
    if (on.uncompiled.forall(Symptoms.isOfNullInList) || off.uncompiled.nonEmpty) None
    else Some(Finding.Wrong("generated code does not compile", on.uncompiled.mkString("\n")))

  private def schemas(off: Run, on: Run): Option[Finding] = {
    def shape(r: Run) = r.schema.map(f => (f.name, f.dataType))
    if (shape(off) == shape(on)) None
    else Some(Finding.Wrong("another schema", s"off: ${shape(off)}\non: ${shape(on)}"))
  }

  /**
   * Finds a query that reads cached data without Sieve, but reads a source with Sieve. A source that
   * is read without Sieve too may be read once more, for keys.
   */
  private def readAnew(query: Query, off: Run, on: Run): Option[Finding] = {
    def leaves(run: Run) =
      run.plan.toSeq.flatMap(_.collectWithSubqueries { case l: LeafNode => l }).filter {
        case _: LocalRelation | _: OneRowRelation | _: CTERelationRef => false
        case _ => true
      }
    def parts(run: Run) = leaves(run).partition(_.isInstanceOf[InMemoryRelation])
    val ((caches, sources), (cachesNow, sourcesNow)) = (parts(off), parts(on))
    val isNew = (sourcesNow.map(Judge.source).toSet -- sources.map(Judge.source)).nonEmpty
    val isInstead = cachesNow.size < caches.size && sourcesNow.size > sources.size
    if (query.caches && caches.nonEmpty && (isNew || isInstead))
      Some(Finding.Wrong("what is cached was read anew", ""))
    else None
  }

  /** Finds a plan that changed although no rule reports that it was applied. */
  private def silent(query: Query, off: Run, on: Run): Option[Finding] =
    if (!query.readsTheSame || on.verdicts.exists(_.reason.isEmpty) || !Judge.changed(off, on)) None
    else if (isSparksOwn(query, on)) None
    else Some(Finding.Wrong("a plan changed and no rule says so", ""))

  /**
   * Whether Spark without Sieve makes the same plan in another run: some of its rules depend on
   * hashes of ids.
   */
  private def isSparksOwn(query: Query, on: Run): Boolean =
    Iterator
      .fill(6)(runs.sieve(on = false)(query.dataFrame(spark)))
      .exists(!Judge.changed(_, on))
}

object Judge {

  /** Whether the optimized plans differ in more than ids. */
  def changed(off: Run, on: Run): Boolean =
    (off.plan, on.plan) match {
      case (Some(a), Some(b)) => renumbered(a) != renumbered(b)
      case _ => false
    }

  /** The plan's text with ids renumbered by first use (`canonicalized` leaves some ids). */
  private def renumbered(plan: LogicalPlan): String = {
    val ids = mutable.Map.empty[String, Int]
    val shown = plan.treeString(verbose = true, addSuffix = false, maxFields = 1000)
    Id.replaceAllIn(shown, m => s"#${ids.getOrElseUpdate(m.matched, ids.size)}")
  }

  private val Id = "#[0-9]+L?|_common_expr_[0-9]+".r

  /** A text by which the reads of one source are the same, whatever columns they need. */
  private def source(leaf: LogicalPlan): String = leaf match {
    case r: DataSourceV2ScanRelation => r.relation.name
    case other => Id.replaceAllIn(other.simpleString(maxFields = 1000), "")
  }

  // A data error may come from a different row first; any other error must have the same class.
  private def isNew(off: Throwable, on: Throwable): Boolean =
    !isOfData(on) && !isCancelled(on) && roots(off).intersect(roots(on)).isEmpty

  /**
   * Whether a job was cancelled. If a stage of the keys' side fails, adaptive execution cancels that
   * side's others, which the rest of the query may share.
   */
  private def isCancelled(e: Throwable): Boolean =
    Option(root(e).getMessage).exists(_.matches("(?s)Job \\d+ cancelled.*"))

  /** The classes of an error's roots: where several stages failed, Spark throws one for all. */
  private def roots(e: Throwable): Set[Class[_]] =
    (e +: e.getSuppressed.toSeq).map(root(_).getClass).toSet

  private def isOfData(e: Throwable): Boolean = root(e) match {
    case _: ArithmeticException | _: NumberFormatException | _: java.time.DateTimeException => true
    // Any error that has an error class, except internal errors of Spark.
    case t => Option(t.getMessage).exists(Named.findPrefixOf(_).exists(!_.contains("INTERNAL")))
  }

  private val Named = "\\[[A-Z][A-Z0-9_.]+\\]".r

  def root(e: Throwable): Throwable =
    if (e.getCause == null || (e.getCause eq e)) e else root(e.getCause)

  private def both(name: String, a: Answer, on: Answer): String =
    s"$name:\n${a.show}\non:\n${on.show}"

  def trace(e: Throwable): String = {
    val text = new java.io.StringWriter
    (root(e) +: e.getSuppressed.toSeq).foreach(_.printStackTrace(new java.io.PrintWriter(text)))
    s"$e\n" + text.toString.split('\n').take(40).mkString("\n")
  }
}
