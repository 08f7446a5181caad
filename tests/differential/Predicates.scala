package io.sparksieve.differential

/**
 * Random conditions over columns, as SQL.
 *
 * @param fallible
 *   whether conditions may raise an error, which under ANSI mode some then do
 */
final class Predicates(dice: Dice, fallible: Boolean) {

  /** A condition over `columns`, nested at most `depth` deep. */
  def over(columns: Seq[Column], depth: Int = 2): String =
    if (columns.isEmpty) dice.oneOf(Seq("TRUE", "FALSE", "1 = 1", "CAST(NULL AS BOOLEAN)"))
    else {
      def inner = over(columns, depth - 1)
      val shape =
        if (depth == 0) "atom"
        else {
          dice.weighted(
            10 -> "atom",
            3 -> "and",
            3 -> "or",
            2 -> "not",
            2 -> "guard",
            1 -> "case",
            1 -> "coalesce",
            1 -> "null-safe")
        }
      shape match {
        case "and" => s"($inner AND $inner)"
        case "or" => s"($inner OR $inner)"
        case "not" => s"NOT ($inner)"
        case "guard" => guarded(columns).getOrElse(inner)
        case "case" => s"CASE WHEN $inner THEN $inner ${dice.oneOf(Seq("", s"ELSE $inner "))}END"
        case "coalesce" => s"coalesce($inner, ${dice.oneOf(Seq("TRUE", "FALSE"))})"
        case "null-safe" => s"(($inner) <=> ${dice.oneOf(Seq("TRUE", "FALSE", "NULL"))})"
        case _ => atom(columns)
      }
    }

  /** A pair of conditions that hold for no row both, as often as not for a reason that is seen. */
  def disjoint(columns: Seq[Column]): (String, String) = if (columns.isEmpty) ("TRUE", "FALSE")
  else {
    val c = dice.oneOf(columns)
    val two = dice.some(c.kind.literals, 2)
    val (v, w) = (two.head, two.last)
    val pair = dice.below(7) match {
      case 0 => (s"${c.name} < $v", s"${c.name} >= $v")
      case 1 => (s"${c.name} <= $v", s"${c.name} > $v")
      case 2 => (s"${c.name} = $v", s"${c.name} = $w")
      case 3 => (s"${c.name} IS NULL", s"${c.name} = $v")
      case 4 => (s"${c.name} IN ($v)", s"${c.name} IN ($w, NULL)")
      case 5 => (s"${c.name} IS NOT NULL", s"${c.name} IS NULL")
      case _ =>
        val p = over(columns, 1)
        (p, s"NOT ($p)")
    }
    if (dice.chance(50)) pair else pair.swap
  }

  private def atom(columns: Seq[Column]): String = {
    val c = dice.oneOf(columns)
    val partners = columns.filter(o => o.kind == c.kind && o.name != c.name)
    if (partners.nonEmpty && dice.chance(15)) {
      s"${c.name} ${comparison()} ${dice.oneOf(partners).name}"
    } else {
      dice.weighted(6 -> "plain", 4 -> "own") match {
        case "own" =>
          val own = if (c.opaque) Predicates.respecting(c) else Predicates.of(c)
          val risky = if (fallible && !c.opaque && dice.chance(3)) Predicates.fallible(c) else Nil
          val all = if (risky.nonEmpty) risky.map(_._2) else own
          if (all.isEmpty) plain(c) else dice.oneOf(all)
        case _ => plain(c)
      }
    }
  }

  private def comparison() =
    dice.oneOf(Seq("=", "<>", "<>", "<", "<=", "<=", ">", ">=", ">=", "<=>"))

  private def literal(c: Column) = dice.oneOf(c.kind.literals)

  private def plain(c: Column): String = dice.below(11) match {
    case 0 => s"${c.name} IS NULL"
    case 1 => s"${c.name} IS NOT NULL"
    case 2 =>
      val not = if (dice.chance(30)) "NOT " else ""
      val list = dice.some(c.kind.literals :+ "NULL", dice.between(1, 3))
      s"${c.name} ${not}IN (${list.mkString(", ")})"
    case 3 => s"${c.name} BETWEEN ${literal(c)} AND ${literal(c)}"
    case 4 if dice.chance(20) =>
      // Long enough to become a hash set.
      val list = Seq.fill(12)(literal(c))
      s"${c.name} IN (${list.mkString(", ")})"
    case 5 => s"${c.name} IS NOT NULL"
    case 6 => s"${literal(c)} ${comparison()} ${c.name}"
    case _ => s"${c.name} ${comparison()} ${literal(c)}"
  }

  private def guarded(columns: Seq[Column]): Option[String] = {
    val guards = columns.filterNot(_.opaque).flatMap(Predicates.fallible)
    if (guards.isEmpty || !fallible) None
    else {
      val (guard, condition) = dice.oneOf(guards)
      Some(dice.below(3) match {
        case 0 => s"CASE WHEN $guard THEN $condition ELSE FALSE END"
        case 1 => s"(NOT ($guard) OR $condition)"
        case _ => s"($guard AND $condition)"
      })
    }
  }
}

object Predicates {
  import Kind._

  /** What can be asked of a column of its kind, beside comparisons. */
  private def of(column: Column): Seq[String] = {
    val c = column.name
    column.kind match {
      case Bool => Seq(c, s"NOT $c", s"$c IS TRUE", s"$c IS NOT FALSE", s"if($c, NULL, TRUE)")
      case Int16 | Int32 | Int64 =>
        Seq(
          s"$c + 1 > 1",
          s"$c % 2 = 0",
          s"abs($c) <= 1",
          s"$c * 2 = 2",
          s"coalesce($c, 0) = 0",
          s"nullif($c, 1) IS NULL",
          s"CAST($c AS STRING) LIKE '%1%'",
          s"CAST($c AS DOUBLE) < 1.5D",
          s"greatest($c, 1) = 1",
          s"if($c > 1, TRUE, NULL)",
          s"$c / 2 = 1",
          s"-$c < 0"
        )
      case Float32 | Float64 =>
        Seq(
          s"CAST($c AS STRING) = '-0.0'",
          s"CAST($c AS STRING) LIKE '%0.0'",
          s"$c + 1 > 1",
          s"abs($c) = 0",
          s"-$c = 0",
          s"nanvl($c, 0D) = 0",
          s"coalesce($c, 0D) <= 0",
          s"hash($c) % 2 = 0",
          s"round($c, 1) = 1.5",
          s"atan2($c, -1D) > 0"
        ) ++ respecting(column)
      case Dec | Wide =>
        Seq(s"$c + 1 > 1.5", s"$c * 2 = 3.00", s"CAST($c AS INT) = 1", s"round($c) = 1")
      case Text =>
        Seq(
          s"length($c) > 1",
          s"upper($c) = 'A'",
          s"$c LIKE 'a%'",
          s"$c LIKE '%!%' ESCAPE '!'",
          s"$c RLIKE '^[a-z]'",
          s"substring($c, 1, 1) = 'a'",
          s"concat($c, 'x') = 'ax'",
          s"trim($c) = 'a'",
          s"startswith($c, 'a')",
          s"contains($c, '1')",
          s"ascii($c) > 97",
          s"try_cast($c AS INT) > 1",
          s"endswith($c, 'b')",
          s"coalesce($c, 'a') = 'a'"
        )
      case Collated(_) =>
        Seq(
          s"$c COLLATE UTF8_BINARY = 'A'",
          s"length($c) = 1",
          s"lower($c) = 'a'",
          s"CAST($c AS STRING) COLLATE UTF8_BINARY < 'a'",
          s"startswith($c, 'A')")
      case Padded => Seq(s"length($c) = 4", s"$c LIKE '1%'", s"trim($c) = '1'", s"$c = '1'")
      case Day =>
        Seq(
          s"year($c) = 2020",
          s"date_add($c, 1) > DATE'2020-02-29'",
          s"month($c) < 3",
          s"CAST($c AS STRING) LIKE '%-01'",
          s"dayofmonth($c) = 29")
      case Moment | Ntz =>
        Seq(s"hour($c) = 12", s"CAST($c AS DATE) = DATE'2020-01-31'", s"year($c) > 1")
      case Bytes => Seq(s"length($c) > 0", s"hex($c) = '61'", s"CAST($c AS STRING) = 'a'")
      case Struct =>
        Seq(
          s"$c.i = 1",
          s"$c.i IS NULL",
          s"$c.d = 0.0D",
          s"CAST($c.d AS STRING) = '-0.0'",
          s"$c.i IN (1, 2)",
          s"isnan($c.d)",
          s"$c.d > 0D")
    }
  }

  /** The same, but the answer is one for values that SQL holds equal. */
  private def respecting(column: Column): Seq[String] = column.kind match {
    case Float32 | Float64 => Seq(s"isnan(${column.name})", s"NOT isnan(${column.name})")
    case Struct => Seq(s"${column.name}.i = 1", s"${column.name}.d = 0.0D")
    case _ => Nil
  }

  /** Pairs of a guard and a condition that fails under ANSI mode where the guard does not hold. */
  private def fallible(column: Column): Seq[(String, String)] = {
    val c = column.name
    column.kind match {
      case Int32 | Int64 => Seq(s"$c <> 0" -> s"10 / $c > 2", s"$c <> 0" -> s"5 % $c = 1")
      case Dec => Seq(s"$c <> 0" -> s"10 / $c > 2")
      case Float64 => Seq(s"NOT isnan($c) AND $c < 100" -> s"CAST($c AS INT) = 0")
      case Text =>
        Seq(
          s"$c RLIKE '^[0-9]+$$'" -> s"CAST($c AS INT) > 3",
          s"$c IN ('1', '12')" -> s"CAST($c AS BIGINT) = 1")
      case _ => Nil
    }
  }
}
