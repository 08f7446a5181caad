"""What `run.py` breaks in the sets of keys: what their builder and their bytes rely on."""

from mutation import Mutation

_BUILDER = "io/sparksieve/keyset/LongKeySetBuilder.scala"

MUTATIONS = [
    Mutation(
        "keyset: keys over the cap are not counted at once",
        _BUILDER,
        "if (tabled + held > maxKeys) settle()",
        "",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: keys that wait take the bytes of the table",
        _BUILDER,
        "Footprint.longs(wanted) <= maxBytes / 16 && mayWait(wanted)",
        "true",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: the table grows beyond the cap",
        _BUILDER,
        "capacity <= Footprint.LongestArray && bytes + Footprint.longs(capacity) <= maxBytes",
        "capacity <= Footprint.LongestArray",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: keys wait beyond the cap",
        _BUILDER,
        "if (fits && bytes + Footprint.longs(wanted) <= maxBytes)",
        "if (fits)",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: a set is made of waiting keys beyond the cap",
        _BUILDER,
        "table == null && bytes + LongKeySets.bytesFor(held.toLong) <= maxBytes",
        "table == null",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: keys that came twice leave a larger set",
        "io/sparksieve/keyset/HashedKeySet.scala",
        "if (taken == size) made",
        "if (taken <= size) made",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: keys that came twice make a bitset of a sparse set",
        "io/sparksieve/keyset/LongKeySets.scala",
        "if (bitBytes(min, max) <= hashBytes(bits.size, min, max)) bits",
        "if (bits.size > 0) bits",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: both ends of the longs, and a key marks free slots",
        "io/sparksieve/keyset/LongKeySets.scala",
        "present.nextClearBit(0).toLong",
        "0L",
        ["LongKeySetSuite"],
    ),
    Mutation(
        "keyset: the key that marks a table's free slots is lost",
        "io/sparksieve/keyset/LongTable.scala",
        "if (key == Free) hasFree = true",
        "if (key == Free) ()",
        ["KeySetBuilderSuite"],
    ),
    Mutation(
        "keyset: sets are sent with their free slots",
        "io/sparksieve/keyset/HashedKeySet.scala",
        "protected final def writeReplace()",
        "protected final def replacement()",
        ["KeySetSerializationSuite"],
    ),
    Mutation(
        "keyset: blocks: what marks free slots is found",
        "io/sparksieve/keyset/HashedKeySet.scala",
        "HashedKeySet.isZero(held(i) ^ key) & ~isFree",
        "HashedKeySet.isZero(held(i) ^ key)",
        ["KeyBlockSuite"],
    ),
    Mutation(
        "keyset: blocks: no probe goes around the end",
        "io/sparksieve/keyset/HashedKeySet.scala",
        "if (next == capacity) 0 else next",
        "next",
        ["KeyBlockSuite"],
    ),
    Mutation(
        "keyset: blocks: a key beyond the bounds has the distance of one within",
        "io/sparksieve/keyset/HashKeySet32.scala",
        "(held & 0xffffffffL) == distance",
        "held == distance.toInt",
        ["KeyBlockSuite"],
    ),
]
