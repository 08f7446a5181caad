package io.sparksieve.differential

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.report.Reason

/** What a query showed. */
sealed trait Finding

object Finding {

  /** Without and with Sieve the same. */
  case object Same extends Finding

  /**
   * They differ, and the oracle is with Sieve; or Spark fails at what it reads with Sieve only.
   *
   * @param known
   *   what is wrong with Spark
   */
  final case class SparkWrong(known: KnownOfSpark, detail: String) extends Finding

  /** Both give the same rows, and the oracle gives others: no fault of Sieve's. */
  final case class BothWrong(known: Option[KnownOfSpark], detail: String) extends Finding

  /** Without Sieve the query fails, with it it does not. */
  case object ErrorGone extends Finding

  /** Both fail. */
  case object BothFail extends Finding

  /** Something is wrong with Sieve. */
  final case class Wrong(what: String, detail: String) extends Finding
}

/** Compares the two runs of a query, and evaluates its oracle where they differ. */
final class Judge(spark: SparkSession, runs: Runs, truths: Truth) {

  /** @param alwaysAsk ask the oracle even if the runs agree */
  def apply(query: Query, off: Run, on: Run, alwaysAsk: Boolean): Finding = {
    lazy val truth = oracle(query)
    def same(a: Answer, b: Answer) =
      a.counts(query.mergesStrings) == b.counts(query.mergesStrings)
    internalError(on).orElse(uncompiled(off, on)).orElse(schemas(off, on)).getOrElse {
      (off.rows, on.rows) match {
        case (Left(e), Left(f)) if Judge.isNew(e, f) && !Judge.isOfSparksOrc(f) =>
          Finding.Wrong("another error", s"off: $e\non: $f")
        case (Left(_), Left(_)) => Finding.BothFail
        case (Right(_), Left(e)) if Judge.isOfSparksOrc(e) =>
          Finding.SparkWrong(KnownOfSpark.OrcNullInList, Judge.trace(e))
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
                Finding.BothWrong(explained(query, t), Judge.both("oracle", t, b))
              case _ => silent(query, off, on).getOrElse(Finding.Same)
            }
          }
        case (Right(a), Right(b)) =>
          val detail = Judge.both("off", a, b)
          truth match {
            case Right(t) if same(t, b) =>
              explained(query, t) match {
                case Some(known) => Finding.SparkWrong(known, detail)
                case None => Finding.Wrong("Spark wrong for a reason that is not known", detail)
              }
            case Right(t) => Finding.Wrong("wrong rows", s"$detail\noracle:\n${t.show}")
            case Left(e) => Finding.Wrong("other rows, and no oracle", s"$detail\noracle: $e")
          }
      }
    }
  }

  private def oracle(query: Query): Either[Throwable, Answer] =
    try Right(query.oracle(spark, truths(_)))
    catch { case NonFatal(e) => Left(e) }

  /** Why Spark alone does not give `truth`. */
  private def explained(query: Query, truth: Answer): Option[KnownOfSpark] =
    KnownOfSpark.explaining(
      spark,
      () => runs.sieve(on = false)(query.dataFrame(spark)),
      _.rows.exists(_.counts(query.mergesStrings) == truth.counts(query.mergesStrings)))

  private def internalError(on: Run): Option[Finding] =
    on.verdicts.find(_.reason.contains(Reason.InternalError)).map { e =>
      Finding.Wrong("a rule failed", s"${e.rule}: ${e.detail}")
    }

  private def uncompiled(off: Run, on: Run): Option[Finding] =
    if (on.uncompiled.isEmpty || off.uncompiled.nonEmpty) None
    else Some(Finding.Wrong("generated code does not compile", on.uncompiled.mkString("\n")))

  private def schemas(off: Run, on: Run): Option[Finding] = {
    def shape(r: Run) = r.schema.map(f => (f.name, f.dataType))
    if (shape(off) == shape(on)) None
    else Some(Finding.Wrong("another schema", s"off: ${shape(off)}\non: ${shape(on)}"))
  }

  /** A plan that changed although no rule says that it was applied. */
  private def silent(query: Query, off: Run, on: Run): Option[Finding] =
    if (!query.readsTheSame || on.verdicts.exists(_.reason.isEmpty) || !Judge.changed(off, on)) None
    else Some(Finding.Wrong("a plan changed and no rule says so", ""))
}

object Judge {

  /** Whether the optimized plans differ by more than ids. */
  def changed(off: Run, on: Run): Boolean =
    (off.plan, on.plan) match {
      case (Some(a), Some(b)) => renumbered(a) != renumbered(b)
      case _ => false
    }

  /** The plan's text with ids in the order of their first use (`canonicalized` leaves some). */
  private def renumbered(plan: LogicalPlan): String = {
    val ids = mutable.Map.empty[String, Int]
    val shown = plan.treeString(verbose = true, addSuffix = false, maxFields = 1000)
    Id.replaceAllIn(shown, m => s"#${ids.getOrElseUpdate(m.matched, ids.size)}")
  }

  private val Id = "#[0-9]+L?|_common_expr_[0-9]+".r

  // An error of the data may be met in another row first; any other error must be the same.
  private def isNew(off: Throwable, on: Throwable): Boolean =
    !isOfData(on) && root(off).getClass != root(on).getClass

  /**
   * Spark fails when it gives an IN with a NULL in its list to an ORC scan. Without Sieve such a
   * scan may not be read at all: a semi-join whose other side is empty pulls no row.
   */
  private def isOfSparksOrc(e: Throwable): Boolean = root(e) match {
    case npe: NullPointerException =>
      npe.getStackTrace.exists(_.getClassName.contains("OrcFilters"))
    case _ => false
  }

  private def isOfData(e: Throwable): Boolean = root(e) match {
    case _: ArithmeticException | _: NumberFormatException | _: java.time.DateTimeException => true
    // Any error that has a name of its own, but for those that say that Spark itself has failed.
    case t => Option(t.getMessage).exists(Named.findPrefixOf(_).exists(!_.contains("INTERNAL")))
  }

  private val Named = "\\[[A-Z][A-Z0-9_.]+\\]".r

  private def root(e: Throwable): Throwable =
    if (e.getCause == null || (e.getCause eq e)) e else root(e.getCause)

  private def both(name: String, a: Answer, on: Answer): String =
    s"$name:\n${a.show}\non:\n${on.show}"

  def trace(e: Throwable): String = {
    val text = new java.io.StringWriter
    root(e).printStackTrace(new java.io.PrintWriter(text))
    s"$e\n" + text.toString.split('\n').take(40).mkString("\n")
  }
}
