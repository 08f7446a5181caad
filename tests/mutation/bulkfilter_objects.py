# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in the objects of the feature bulkfilter, one piece at a time."""

from mutation import Mutation

_LEAF = "ProjectionBulkFilter.scala"
_TREE = "BulkFilter.scala"
_JSON = "BulkFilterJson.scala"

MUTATIONS = [
    Mutation(
        "bulkfilter: Exclude drops NULL keys",
        _LEAF,
        "if (excludes) not(coalesce(in, lit(false))) else in",
        "if (excludes) not(in) else in",
        ["BulkFilterSuite", "BulkFilterQuerySuite"],
    ),
    Mutation(
        "bulkfilter: Include that keeps NULL keys drops them",
        _LEAF,
        "else coalesce(in, lit(true))",
        "else in",
        ["BulkFilterSuite", "BulkFilterQuerySuite"],
    ),
    Mutation(
        "bulkfilter: a complement forgets NULL keys",
        _LEAF,
        "nulls = if (keepsNulls) FilterKeywords.Drop else FilterKeywords.Keep",
        "nulls = nulls",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: a complement keeps its operator",
        _TREE,
        "if (operator == FilterKeywords.And) FilterKeywords.Or else FilterKeywords.And",
        "operator",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: OR costs its sum",
        _TREE,
        "else costs.sum * OrFactor",
        "else costs.sum",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: lower levels are not sorted",
        _TREE,
        "instances.map(_.map(_.sorted)).sortBy",
        "instances.sortBy",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: what costs the same changes places",
        _TREE,
        "instances.map(_.map(_.sorted)).sortBy",
        "instances.map(_.map(_.sorted)).reverse.sortBy",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: a wide level is a deep expression",
        _TREE,
        "parts.splitAt((parts.length + 1) / 2)",
        "parts.splitAt(parts.length - 1)",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: a function of Scala's has a text",
        "KeyText.scala",
        "case e if e.exists(_.isInstanceOf[UserDefinedExpression]) => None",
        "case e if e == null => None",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: a name is taken for a literal",
        "KeyText.scala",
        "case name: Attribute if !isName(name.sql) =>",
        "case name: Attribute if name == null =>",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: an alias is taken for a key",
        "KeyText.scala",
        "exists(!_.isInstanceOf[Alias])",
        "nonEmpty",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: JSON: a field twice",
        _JSON,
        ".enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)",
        "",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: JSON: text behind the document",
        _JSON,
        ".enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)",
        "",
        ["BulkFilterSuite"],
    ),
    Mutation(
        "bulkfilter: JSON: unknown fields of a leaf",
        _JSON,
        "known(path, fields, LeafFields)",
        "()",
        ["BulkFilterSuite"],
    ),
]
