-- Which layer deals with which predicate, and what keeps the others in Spark.
CREATE TABLE sales USING parquet PARTITIONED BY (month) AS
  SELECT id, CAST(id AS STRING) AS code, CAST(id % 5 AS INT) AS amount,
    named_struct('city', CAST(id AS STRING)) AS shop, id % 12 AS month FROM range(0, 120, 1, 1);

SELECT id FROM sales WHERE month = 3 AND amount > 1 AND upper(code) LIKE '%1';

SELECT id FROM sales WHERE CAST(code AS BIGINT) = 27 AND (month = 3 OR amount = 2);

SELECT id FROM sales WHERE shop.city = '7' AND id < amount;

CREATE TABLE places USING csv AS SELECT id, CAST(id AS STRING) AS name FROM range(0, 10, 1, 1);

SELECT name FROM places WHERE name LIKE '1%' AND name RLIKE '[0-9]+';

CREATE TABLE notes USING json AS
  SELECT id, named_struct('by', CAST(id AS STRING)) AS meta FROM range(0, 10, 1, 1);

SELECT id FROM notes WHERE id > 7 AND meta.by = '8';

CREATE TABLE days USING orc AS
  SELECT date_add(DATE'2024-01-01', CAST(id AS INT)) AS day, CAST(id AS STRING) AS label
  FROM range(0, 10, 1, 1);

SELECT day FROM days WHERE day > DATE'2024-01-05' AND year(day) = 2024 AND label LIKE '7%';

CACHE TABLE few AS SELECT id, CAST(id AS STRING) AS s FROM range(0, 50, 1, 1);

SELECT id FROM few WHERE id > 40 AND s LIKE '%5';

SELECT s.id FROM sales s JOIN places p ON s.id = p.id
  WHERE s.amount = 2 AND p.name > '3' AND s.code <> p.name;

SELECT id FROM range(10) WHERE id > 7;

UNCACHE TABLE few
