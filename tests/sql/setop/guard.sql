-- EXCEPT that Spark's own rule answers wrongly. The rows below are the right ones.

CREATE OR REPLACE TEMP VIEW s AS SELECT a, b FROM VALUES (0, 1), (1, 2), (2, 0), (3, 3) AS s(a, b);

SELECT b AS a, a AS b FROM s EXCEPT SELECT b AS a, a AS b FROM s WHERE a = 1;
SELECT a / 2 AS a, b FROM s EXCEPT SELECT a / 2 AS a, b FROM s WHERE a = 1;
SET spark.sql.ansi.enabled=false;
SELECT a + 1 AS a FROM s EXCEPT SELECT a + 1 AS a FROM s WHERE a = 1;
SET spark.sql.ansi.enabled=true;
SELECT 1 AS a, b FROM s EXCEPT SELECT 1 AS a, b FROM s WHERE a = 3;
SELECT d FROM z WHERE k IN (1, 2, 5) EXCEPT SELECT d FROM z WHERE cast(d AS STRING) = '-0.0' AND k IN (1, 2, 5);
