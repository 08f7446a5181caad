// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * The reason why a rule declined a place that it could have changed. The list is closed. Each code
 * is stable, appears in `sieve_report` and is explained by [[meaning]].
 *
 * @param code
 *   the stable name in reports
 * @param meaning
 *   one sentence for the user
 */
private[sparksieve] sealed abstract class Reason(val code: String, val meaning: String)
    extends Refusal
    with Product
    with Serializable {
  override final def reason: Option[Reason] = Some(this)
  override final def detail: String = meaning
}

private[sparksieve] object Reason {
  case object DifferentSource
      extends Reason("different-source", "The sides do not read the same relation.")
  case object DifferentSnapshot
      extends Reason(
        "different-snapshot",
        "The sides read the same place, but other files or another version of it.")
  case object DifferentProjection
      extends Reason(
        "different-projection",
        "The sides compute different columns from the same relation.")
  case object NotRowDetermined
      extends Reason(
        "not-row-determined",
        "The filter uses something that the compared columns do not carry.")
  case object TellsEqualValuesApart
      extends Reason(
        "tells-equal-values-apart",
        "The filter can tell apart values that the operation treats as equal " +
          "(-0.0 and 0.0, NaNs, strings of a collation).")
  case object TakenForSame
      extends Reason(
        "taken-for-same",
        "The sides compute sums or products in another order, or with 0.0 and -0.0, and Spark would " +
          "take one for the other: write them the same way on both sides."
      )
  case object MergedValues
      extends Reason(
        "merged-values",
        "The output holds strings of a non-binary collation, whose duplicates are merged, or the " +
          "constant -0.0, which may stay or become 0.0."
      )
  case object NonDeterministic
      extends Reason(
        "non-deterministic",
        "A side, or an operator above, has a non-deterministic expression.")
  case object SubqueryInBranch
      extends Reason("subquery-in-branch", "A filter or column of a side holds a subquery.")
  case object CorrelatedBranch
      extends Reason("correlated-branch", "A side refers to columns of an outer query.")
  case object Streaming
      extends Reason(
        "streaming",
        "A side is a stream, or its rows are joined with one and given to a function that may " +
          "overwrite what the side reads."
      )
  case object UnsupportedSource
      extends Reason("unsupported-source", "The source is not known to give the same rows twice.")
  case object ColumnSensitiveSource
      extends Reason(
        "column-sensitive-source",
        "Which rows this source yields, or whether reading it fails, depends on the columns that " +
          "are read (parse mode other than PERMISSIVE, corrupt-record column, ignored corrupt files, " +
          "spark.sql.legacy.timeParserPolicy=EXCEPTION, spark.sql.optimizer.metadataOnly; or the " +
          "sides read other columns in other directories, where a column may be of another type)."
      )
  case object OverwrittenSource
      extends Reason(
        "overwritten-source",
        "The command overwrites files that the query reads, or may read, and with one scan it may " +
          "delete them before they are read: write to another directory."
      )
  case object PushdownSensitiveSource
      extends Reason(
        "pushdown-sensitive-source",
        "This source may lose or keep other rows if it is given a side's filter than if Spark " +
          "evaluates it (floats, constants of finer units, JSON, databases): cache the rows, or filter " +
          "by another column."
      )
  case object DistinctBranch
      extends Reason("distinct-branch", "Duplicates are removed inside a side of an ALL operation.")
  case object CachedBranch
      extends Reason("cached-branch", "A side is cached by itself, and a rewrite would not use it.")
  case object MayOverlap
      extends Reason(
        "may-overlap",
        "UNION ALL: it cannot be proved that no row passes both filters.")
  case object PruningLost
      extends Reason(
        "pruning-lost",
        "Each side skips partitions or row groups in a way that the combined filter could not.")
  case object ResidualCondition
      extends Reason(
        "residual-condition",
        "The join condition has more than equalities of the same column on both sides.")
  case object NullableKey
      extends Reason("nullable-key", "NOT IN with a key that may be NULL on one side.")
  case object NestedPredicate
      extends Reason("nested-predicate", "IN with a NULL-able answer below OR, NOT or CASE.")
  case object UnsupportedExpression
      extends Reason(
        "unsupported-expression",
        "A filter or column of a side calls a Python UDF, which Spark would call for other rows too.")
  case object MayFail
      extends Reason(
        "may-fail",
        "A condition of the query, a scalar subquery, or a column below a join or LIMIT may raise an " +
          "error (ANSI arithmetic, a cast, a UDF), and with one scan Spark may evaluate it for " +
          "other rows."
      )
  case object CountingOff
      extends Reason("counting-off", "The counting rewrite is switched off by its config.")
  case object BelowGate
      extends Reason("below-gate", "The source is too small for the rewrite to pay.")
  case object CteBoundary
      extends Reason("cte-boundary", "The common relation is inside a WITH clause and not a leaf.")
  case object NotSelective
      extends Reason(
        "not-selective",
        "No filter on either side limits the join keys of the other, beyond those on the key " +
          "itself, which Spark gives to both sides.")
  case object ForeignOperator
      extends Reason(
        "foreign-operator",
        "Another engine runs the query, and would give up its own operators above a filter of " +
          "Sieve's.")
  case object PreservedSide
      extends Reason(
        "preserved-side",
        "Every row of this side must come out of the join, whether it has a partner or not.")
  case object KeyNotTraced
      extends Reason(
        "key-not-traced",
        "The join key is computed, or cannot be followed to one column of a scan.")
  case object UnsupportedKeyType
      extends Reason("unsupported-key-type", "Keys of this type are not collected.")
  case object FilteredSideBroadcast
      extends Reason(
        "filtered-side-broadcast",
        "Spark broadcasts the very side that the keys would filter.")
  case object NothingToSkip
      extends Reason(
        "nothing-to-skip",
        "The join does no shuffle, and the scan cannot skip anything by this column.")
  case object PrunedBySpark
      extends Reason("pruned-by-spark", "Spark itself prunes the partitions by these keys.")
  case object BuildSideTooLarge
      extends Reason(
        "build-side-too-large",
        "The side that has the keys is larger than its config allows.")
  case object BucketedBuildSide
      extends Reason(
        "bucketed-build-side",
        "The side that has the keys is not shuffled, and would be read twice.")
  case object NestedTooDeep
      extends Reason(
        "nested-too-deep",
        "The side that has the keys is itself filtered by the keys of so many others that planning " +
          "it twice would cost more than is saved."
      )
  case object SharedPart
      extends Reason(
        "shared-part",
        "Spark computes this part of the query once for several places, and a filter for one of " +
          "them would end that.")
  case object ReuseOff
      extends Reason(
        "reuse-off",
        "Exchange reuse or dynamic pruning is switched off or cannot work, and the side would be " +
          "read twice.")
  case object SwitchedOff
      extends Reason(
        "switched-off",
        "A setting of Spark's, which the detail names, switches off what would skip data by this " +
          "column; set it back if the files' statistics are right."
      )
  case object CorruptFilesIgnored
      extends Reason(
        "corrupt-files-ignored",
        "Corrupt files are ignored, and which of their rows are read depends on what is skipped; " +
          "set ignoreCorruptFiles to false."
      )
  case object SourceNotPinned
      extends Reason(
        "source-not-pinned",
        "The side that has the keys may give other rows when it is read again; read it from files " +
          "or a snapshot, or checkpoint it.")
  case object TooManyPredicates
      extends Reason(
        "too-many-predicates",
        "The filter has more predicates, or more columns, than can be ordered or combined.")
  case object FixedOrder
      extends Reason(
        "fixed-order",
        "Each predicate but the first may fail, may be slow for long strings, or is random, and must " +
          "keep its place.")
  case object GuardsDiffer
      extends Reason(
        "guards-differ",
        "Spark evaluates a predicate that can fail or is random for other rows in generated code than " +
          "without; put it into a CASE WHEN with its guards."
      )
  case object DeferredColumn
      extends Reason(
        "deferred-column",
        "A predicate or key reads a computed column that can fail, and Spark computes it only for " +
          "rows that other predicates or joins keep; filter below the computation."
      )
  case object SharedSubexpression
      extends Reason(
        "shared-subexpression",
        "A costly expression is part of several predicates; Spark evaluates it once for all.")
  case object LittleToGain
      extends Reason(
        "little-to-gain",
        "The order of the predicates makes next to no difference: they are cheap, or runs have shown it.")
  case object OverMemoryCap
      extends Reason(
        "over-memory-cap",
        "The values take more memory than their configs and the heap allow; they are joined with the " +
          "rows instead.")
  case object OrderOfPoints
      extends Reason(
        "order-of-points",
        "The cost model of bulk filters is points: the predicates keep the order of their points.")
  case object InternalError
      extends Reason("internal-error", "The rule failed; the plan was left as it was.")

  /** The whole list, for documentation and tests. */
  val all: Seq[Reason] = Seq(
    DifferentSource,
    DifferentSnapshot,
    DifferentProjection,
    NotRowDetermined,
    TellsEqualValuesApart,
    TakenForSame,
    MergedValues,
    NonDeterministic,
    SubqueryInBranch,
    CorrelatedBranch,
    Streaming,
    UnsupportedSource,
    ColumnSensitiveSource,
    OverwrittenSource,
    PushdownSensitiveSource,
    DistinctBranch,
    CachedBranch,
    MayOverlap,
    PruningLost,
    ResidualCondition,
    NullableKey,
    NestedPredicate,
    UnsupportedExpression,
    MayFail,
    CountingOff,
    BelowGate,
    CteBoundary,
    NotSelective,
    ForeignOperator,
    PreservedSide,
    KeyNotTraced,
    UnsupportedKeyType,
    FilteredSideBroadcast,
    NothingToSkip,
    PrunedBySpark,
    BuildSideTooLarge,
    BucketedBuildSide,
    NestedTooDeep,
    SharedPart,
    ReuseOff,
    SwitchedOff,
    CorruptFilesIgnored,
    SourceNotPinned,
    TooManyPredicates,
    FixedOrder,
    GuardsDiffer,
    DeferredColumn,
    SharedSubexpression,
    LittleToGain,
    OverMemoryCap,
    OrderOfPoints,
    InternalError
  )
}
