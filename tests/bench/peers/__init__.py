"""`./sbt "bench peers"`: measures Sieve beside other engines."""
