-- UNION and UNION ALL of filtered copies of one table.

SELECT a, c FROM t WHERE a = 2 UNION SELECT a, c FROM t WHERE c = 1;
SELECT a FROM t WHERE b = 1 AND a < 2 UNION ALL SELECT a FROM t WHERE b = 2 AND a < 2;
SELECT a FROM t WHERE c IS NULL AND b = 0 UNION ALL SELECT a FROM t WHERE c = 1 AND b = 0;

-- A row may pass both filters.
SELECT a FROM t WHERE b = 1 AND a < 2 UNION ALL SELECT a FROM t WHERE c = 2 AND a < 2;

-- Three sides, of which two can be one.
SELECT a FROM t WHERE b = 1 AND a = 0 UNION ALL SELECT k FROM z WHERE k = 3 UNION ALL SELECT a FROM t WHERE b = 2 AND a = 0;

-- Other columns.
SELECT a FROM t WHERE b = 1 UNION SELECT b FROM t WHERE b = 2;

