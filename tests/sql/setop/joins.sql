-- Anti- and semi-joins of a table with a filtered copy of itself, as joins and as predicates.

SELECT DISTINCT a, c FROM t l LEFT ANTI JOIN (SELECT c FROM t WHERE c = 1) r ON l.c = r.c WHERE a < 2;
SELECT DISTINCT a, c FROM t l LEFT SEMI JOIN (SELECT c FROM t WHERE c = 1) r ON l.c = r.c WHERE a < 2;
SELECT DISTINCT c FROM t l LEFT ANTI JOIN (SELECT c FROM t WHERE c IS NULL) r ON l.c <=> r.c;

SELECT DISTINCT a, c FROM t l WHERE a < 2 AND NOT EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 0);
SELECT DISTINCT a, c FROM t l WHERE a = 1 OR EXISTS (SELECT 1 FROM t r WHERE l.c = r.c AND r.c > 1);
SELECT DISTINCT c FROM t WHERE c IN (SELECT c FROM t WHERE c > 0);
SELECT DISTINCT c FROM t WHERE c IS NOT NULL AND c NOT IN (SELECT c FROM t WHERE c > 1);

-- NOT IN with a key that may be NULL; IN below OR; another key; a filter on another column.
SELECT DISTINCT c FROM t WHERE c NOT IN (SELECT c FROM t WHERE c > 1);
SELECT DISTINCT a, c FROM t WHERE a = 1 OR c IN (SELECT c FROM t WHERE c > 1);
SELECT DISTINCT a FROM t l LEFT ANTI JOIN t r ON l.a = r.b;
SELECT DISTINCT a FROM t l LEFT SEMI JOIN (SELECT a FROM t WHERE b = 1 AND c = 1) r ON l.a = r.a;
