package io.sparksieve.bulkfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.SCALA_UDF

/**
 * Answers leaves whose values do not fit into memory by joins, as Spark answers EXISTS:
 * {{{
 *   Filter a IN f AND NOT b IN g AND c > 1        LeftAnti b = g
 *   +- child                                =>    +- LeftSemi a = f
 *                                                    +- Filter c > 1 AND b IS NOT NULL
 *                                                       +- child
 *   Project a IN f                          =>    Project if(a IS NULL, NULL, exists)
 *   +- child                                      +- ExistenceJoin a = f
 *                                                    +- child
 * }}}
 * The smaller files first, and all behind the predicates that need no join.
 */
private[bulkfilter] final class JoinLargeKeys(session: SparkSession, large: Seq[FileKeys])
    extends PredicateHelper {

  private val values = new LargeValues(session)

  def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(SCALA_UDF)) {
      case node if has(node.expressions) => joined(node)
    }

  private def isLarge(leaf: InFile) = leaf.members.files.exists(large.contains)

  private def in(e: Expression) = InFile.in(e).filter(isLarge)

  private def has(expressions: Seq[Expression]) = expressions.exists(in(_).nonEmpty)

  private def joined(node: LogicalPlan): LogicalPlan = node match {
    case Filter(condition, child) => filtered(splitConjunctivePredicates(condition), child)
    case join: Join => ofJoin(join)
    case aggregate: Aggregate => ofAggregate(aggregate)
    case unary: UnaryNode =>
      val (below, answers) = answered(unary.expressions, unary.child)
      val made = replaced(unary.withNewChildren(Seq(below)), answers)
      if (made.output == unary.output) made else Project(unary.output, made)
    case other => refused(other)
  }

  private def filtered(parts: Seq[Expression], child: LogicalPlan): LogicalPlan = {
    val (joins, others) = parts.partition(p => asksOnly(p).nonEmpty)
    val (hard, plain) = others.partition(in(_).nonEmpty)
    val ascending = joins.flatMap(p => asksOnly(p)).sortBy { case (leaf, denied) =>
      (denied, bytes(leaf))
    }
    val notNull = ascending.collect { case (leaf, true) => leaf.keys.filter(_.nullable) }.flatten
    val first = (plain ++ notNull.map(IsNotNull(_))).reduceOption(And(_, _))
    val bottom = first.fold(child)(Filter(_, child))
    val thin = ascending.foldLeft(bottom) { case (below, (leaf, denied)) =>
      values.join(below, leaf, leaf.keys.indices, if (denied) LeftAnti else LeftSemi)
    }
    if (hard.isEmpty) thin
    else {
      val (below, answers) = answered(hard, thin)
      Project(thin.output, Filter(hard.map(answers).reduce(And(_, _)), below))
    }
  }

  /** A predicate that is no more than a leaf, and whether it denies it. */
  private def asksOnly(e: Expression): Option[(InFile, Boolean)] = e match {
    case leaf: InFile if isLarge(leaf) => Some((leaf, false))
    // A key that is unknown in some columns may still be known to be in no row.
    case Not(leaf: InFile) if isLarge(leaf) && (leaf.keys.size == 1 || !leaf.nullable) =>
      Some((leaf, true))
    case _ => None
  }

  private def bytes(leaf: InFile): Long =
    leaf.members.files.flatMap(_.entry).flatMap(_.files).flatten.map(_.bytes).sum

  /** Rows with a column for the answer of each large leaf, and how to put the answers in. */
  private def answered(
      expressions: Seq[Expression],
      child: LogicalPlan): (LogicalPlan, Expression => Expression) = {
    val leaves = expressions.flatMap(in).foldLeft(Vector.empty[InFile]) { (known, leaf) =>
      if (known.exists(_.semanticEquals(leaf))) known else known :+ leaf
    }
    val start = (child, Vector.empty[(InFile, Expression)])
    val (below, answers) = leaves.sortBy(bytes).foldLeft(start) { case ((plan, done), leaf) =>
      if (!leaf.references.subsetOf(child.outputSet)) refused(child)
      val (next, answer) = values.exists(plan, leaf)
      (next, done :+ (leaf -> answer))
    }
    val put = (e: Expression) =>
      e.transform { case leaf: InFile =>
        answers
          .collectFirst { case (l, answer) if l.semanticEquals(leaf) => answer }
          .getOrElse(leaf)
      }
    (below, put)
  }

  private def replaced(node: LogicalPlan, put: Expression => Expression): LogicalPlan =
    node.mapExpressions(put)

  private def ofJoin(join: Join): LogicalPlan = {
    val parts = join.condition.toSeq.flatMap(splitConjunctivePredicates)
    val leaves = parts.flatMap(in)
    def isOf(side: LogicalPlan)(leaf: InFile) = leaf.references.subsetOf(side.outputSet)
    if (leaves.forall(l => isOf(join.left)(l) || isOf(join.right)(l))) {
      val (ofLeft, ofRight) = leaves.partition(isOf(join.left))
      val (left, putLeft) = answered(ofLeft, join.left)
      val (right, putRight) = answered(ofRight, join.right)
      val condition = join.condition.map(c => putRight(putLeft(c)))
      val made = join.copy(left = left, right = right, condition = condition)
      Project(join.output, made)
    } else if (join.joinType.isInstanceOf[InnerLike]) {
      // Its condition may be asked of the rows that come out as well.
      val (hard, plain) = parts.partition(in(_).nonEmpty)
      filtered(hard, join.copy(condition = plain.reduceOption(And(_, _))))
    } else refused(join)
  }

  /** What is grouped is below the answers for the groups, and above those for the rows. */
  private def ofAggregate(aggregate: Aggregate): LogicalPlan = {
    val grouping = aggregate.groupingExpressions
    val rows = grouping ++ aggregate.aggregateExpressions.flatMap(_.collect {
      case a: AggregateExpression => a
    })
    if (has(rows)) {
      val (below, put) = answered(rows, aggregate.child)
      val made = aggregate
        .withNewChildren(Seq(below))
        .transformExpressions {
          case a: AggregateExpression => a.mapChildren(put)
          case e if grouping.exists(_.semanticEquals(e)) => put(e)
        }
      if (has(made.expressions)) joined(made) else made
    } else {
      val groups = grouping.map {
        case named: NamedExpression => named
        case e => Alias(e, "group")()
      }
      val aggregates = aggregate.aggregateExpressions
        .flatMap(_.collect { case a: AggregateExpression => a })
        .map(a => Alias(a, "aggregate")())
      def above(e: Expression): Expression = {
        val known = groups
          .collectFirst {
            case Alias(g, _) if g.semanticEquals(e) =>
              groups
                .find {
                  case Alias(x, _) => x.semanticEquals(e)
                  case _ => false
                }
                .get
                .toAttribute
            case a: Attribute if a.semanticEquals(e) => a
          }
          .orElse(aggregates.collectFirst {
            case alias if alias.child.semanticEquals(e) => alias.toAttribute
          })
        known.getOrElse(e.mapChildren(above))
      }
      val inner = Aggregate(grouping, groups ++ aggregates, aggregate.child)
      val outer = aggregate.aggregateExpressions.map(e => above(e).asInstanceOf[NamedExpression])
      joined(Project(outer, inner))
    }
  }

  private def refused(node: LogicalPlan): Nothing = {
    val names = node.expressions.flatMap(in).map(_.members.files.map(_.source.label).mkString(", "))
    throw new KeysTooLargeException(
      s"${if (names.isEmpty) "Values of in_file or in_table" else names.distinct.mkString(", ")} take " +
        s"more memory than they may, and cannot be joined with the rows in ${node.nodeName}; ask " +
        "them in a WHERE or SELECT below, or raise spark.sieve.bulkFilter.maxLeafBytes, " +
        "spark.sieve.bulkFilter.maxQueryBytes and the memory of driver and executors.")
  }
}
