package io.sparksieve.adaptivefilter

/**
 * What a task needs of an adaptive filter besides its predicates: it is sent with the task, and
 * finds the state of the executor that it is on.
 *
 * @param key
 *   equal for filters that share what they have learned
 * @param parts
 *   the same for each predicate whose parts have an order of their own, by its place
 */
final class FilterHandle(
    key: String,
    val precedence: Precedence,
    val settings: PolicySettings,
    told: Told,
    val parts: Map[Int, FilterHandle] = Map.empty)
    extends Serializable {

  @transient private lazy val state: FilterState =
    FilterStates(key)(new FilterState(precedence, OrderPolicy(settings, precedence)))

  /** For a task that asks its predicates of one row at a time. For generated code too. */
  def startRows(): RowRun = new RowRun(lessons(), precedence, settings)

  /** What a task that begins now reads its order from and gives its samples to. */
  def lessons(): Lessons = Lessons.start(state, precedence, settings, told)
}
