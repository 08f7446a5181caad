-- EXCEPT between filtered copies of one table. t: a, b integers; c and s with NULLs; many duplicates.

-- The plain form, the ALL form, and the right side unfiltered.
SELECT a, c FROM t WHERE b = 2 EXCEPT SELECT a, c FROM t WHERE c = 1;
SELECT a, c FROM t WHERE b = 2 AND a < 3 EXCEPT ALL SELECT a, c FROM t WHERE c = 1;
SELECT a FROM t WHERE b = 2 EXCEPT SELECT a FROM t;

-- NULL right conditions: the row stays.
SELECT c FROM t EXCEPT SELECT c FROM t WHERE c > 0;

-- Chains, and a UNION on the right.
SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1 EXCEPT SELECT a FROM t WHERE a > 4;
SELECT a FROM t EXCEPT (SELECT a FROM t WHERE a = 1 UNION SELECT a FROM t WHERE a > 4);

-- Other names, computed columns, a filter that both sides have.
SELECT upper(s) AS n FROM t EXCEPT SELECT upper(s) FROM t WHERE upper(s) > 'S1';
SELECT a FROM t WHERE b = 1 EXCEPT SELECT a FROM t WHERE b = 1 AND a > 3;

-- A condition that may fail.
SELECT a + 1 AS n FROM t EXCEPT SELECT a + 1 FROM t WHERE a + 1 > 3;

-- Through WITH and a scalar subquery.
WITH r AS (SELECT a, c FROM t WHERE b = 1) SELECT * FROM r EXCEPT SELECT * FROM r WHERE c = 1;
SELECT DISTINCT b FROM t WHERE a = (SELECT max(x) FROM (SELECT a AS x FROM t EXCEPT SELECT a FROM t WHERE a > 4));

-- A filter on a column that is not compared: counted.
SELECT a FROM t WHERE a < 4 AND b < 3 EXCEPT SELECT a FROM t WHERE b = 1 AND a < 2;
SELECT a FROM t WHERE a < 2 AND b < 3 EXCEPT ALL SELECT a FROM t WHERE b = 1;

-- Nothing in common.
SELECT a FROM t EXCEPT SELECT k FROM z;
