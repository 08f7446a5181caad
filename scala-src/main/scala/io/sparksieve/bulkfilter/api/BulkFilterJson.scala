// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import com.fasterxml.jackson.core.{JsonParser, JsonProcessingException}
import com.fasterxml.jackson.databind.{DeserializationFeature, JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * Reads and writes filters as JSON, in the form that Scala and Python share:
 * {{{
 *   {"version":1,"filter":NODE}
 * }}}
 * where NODE is one of
 * {{{
 *   {"operator":"AND"|"OR","instances":[NODE,…]}
 *   {"operation":"Include"|"Exclude","key":SQL,"file":PATH or "table":NAME,
 *    "options":{…},"nulls":"keep"|"drop","name":TEXT}
 * }}}
 * `options`, `nulls` and `name` are optional; the writer omits them if they are empty or the
 * default. The values of options may be strings, booleans or whole numbers.
 * `tests/golden/bulkfilter` checks that both languages agree, errors included.
 */
private[bulkfilter] object BulkFilterJson {

  private type Node = Either[ProjectionBulkFilter, BulkFilter]

  private val Version = 1

  private val TreeFields = Seq("operator", "instances")
  private val LeafFields = Seq("operation", "key", "file", "table", "options", "nulls", "name")

  private val mapper = new ObjectMapper()
    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)

  /**
   * @throws IllegalArgumentException
   *   if a key has no SQL text
   */
  def write(filter: Node): String = {
    val document = mapper.createObjectNode().put("version", Version)
    document.set[JsonNode]("filter", node(filter))
    mapper.writeValueAsString(document)
  }

  private def node(filter: Node): ObjectNode = filter match {
    case Left(leaf) => leafNode(leaf)
    case Right(tree) =>
      val made = mapper.createObjectNode().put("operator", tree.operator)
      val instances = made.putArray("instances")
      tree.instances.foreach(i => instances.add(node(i)))
      made
  }

  private def leafNode(leaf: ProjectionBulkFilter): ObjectNode = {
    val key = leaf.keyText.getOrElse {
      throw new IllegalArgumentException(
        s"The key ${leaf.key} has no SQL text, which JSON needs: make the leaf from the text of " +
          "an expression, as in Include(\"lower(color)\", …).")
    }
    val made = mapper.createObjectNode().put("operation", leaf.operation).put("key", key)
    made.put(if (leaf.isTable) "table" else "file", leaf.fileLocation)
    if (leaf.options.nonEmpty) {
      val options = made.putObject("options")
      leaf.options.toSeq.sorted.foreach { case (k, v) => options.put(k, v) }
    }
    if (leaf.nulls != FilterKeywords.nulls("", leaf.operation)) made.put("nulls", leaf.nulls)
    leaf.name.foreach(made.put("name", _))
    made
  }

  /**
   * @throws IllegalArgumentException
   *   if `text` is not a valid filter; the message names the place and what is allowed there
   */
  def read(text: String): Node = {
    val document =
      try mapper.readTree(text)
      catch {
        case e: JsonProcessingException =>
          throw new IllegalArgumentException(s"This is not JSON: ${e.getOriginalMessage}.", e)
      }
    val top = "the document"
    val fields = objectAt(top, document)
    known(top, fields, Seq("version", "filter"))
    val version = required(top, fields, "version")
    if (!(version.isInt && version.asInt == Version))
      wrong("version", s"$version is not known; this Sieve reads version $Version")
    nodeAt("filter", required(top, fields, "filter"))
  }

  private def nodeAt(path: String, value: JsonNode): Node = {
    val fields = objectAt(path, value)
    (fields.has("operator"), fields.has("operation")) match {
      case (true, false) => Right(treeAt(path, fields))
      case (false, true) => Left(leafAt(path, fields))
      case _ =>
        wrong(
          path,
          "either operator and instances are expected, or operation, key and file or table")
    }
  }

  private def treeAt(path: String, fields: ObjectNode): BulkFilter = {
    known(path, fields, TreeFields)
    val operator = wordAt(path, fields, "operator")(FilterKeywords.operator)
    val place = s"$path.instances"
    val instances = required(path, fields, "instances")
    if (!instances.isArray) mismatch(place, "an array", instances)
    if (instances.size == 0) wrong(place, "at least one instance is expected")
    BulkFilter(
      operator,
      List.tabulate(instances.size)(i => nodeAt(s"$place[$i]", instances.get(i))))
  }

  private def leafAt(path: String, fields: ObjectNode): ProjectionBulkFilter = {
    known(path, fields, LeafFields)
    val operation = wordAt(path, fields, "operation")(FilterKeywords.operation)
    val key = wordAt(path, fields, "key")(KeyText.checked)
    if (fields.has("file") == fields.has("table"))
      wrong(path, "either file or table is expected")
    val isTable = fields.has("table")
    val location = textAt(path, fields, if (isTable) "table" else "file")
    val options =
      if (fields.has("options")) optionsAt(path, fields.get("options"))
      else Map.empty[String, String]
    val nulls =
      if (fields.has("nulls")) wordAt(path, fields, "nulls")(FilterKeywords.nulls(_, operation))
      else ""
    val name = if (fields.has("name")) Some(textAt(path, fields, "name")) else None
    ProjectionBulkFilter(KeyText.key(key), location, operation, options, nulls, isTable, name)
  }

  private def optionsAt(path: String, value: JsonNode): Map[String, String] = {
    val place = s"$path.options"
    val fields = objectAt(place, value)
    names(fields).map { name =>
      val option = fields.get(name)
      if (!(option.isTextual || option.isBoolean || option.isIntegralNumber))
        mismatch(s"$place.$name", "a string, a boolean or a whole number", option)
      name -> option.asText
    }.toMap
  }

  private def objectAt(path: String, value: JsonNode): ObjectNode = value match {
    case fields: ObjectNode => fields
    case _ => mismatch(path, "an object", value)
  }

  private def required(path: String, fields: ObjectNode, name: String): JsonNode =
    if (fields.has(name)) fields.get(name) else wrong(path, s"$name is missing")

  private def textAt(path: String, fields: ObjectNode, name: String): String = {
    val value = required(path, fields, name)
    if (!value.isTextual) mismatch(s"$path.$name", "a string", value)
    if (value.asText.trim.isEmpty) wrong(s"$path.$name", "the string must not be empty")
    value.asText
  }

  private def known(path: String, fields: ObjectNode, allowed: Seq[String]): Unit =
    names(fields).find(!allowed.contains(_)).foreach { name =>
      wrong(path, s"'$name' is not known; allowed are ${allowed.mkString(", ")}")
    }

  private def names(fields: ObjectNode): Seq[String] = {
    val found = Seq.newBuilder[String]
    fields.fieldNames.forEachRemaining(name => found += name)
    found.result()
  }

  /** Applies `check` to the text of a field; its error is rethrown with the path of the field. */
  private def wordAt(path: String, fields: ObjectNode, name: String)(
      check: String => String): String = {
    val text = textAt(path, fields, name)
    try check(text)
    catch {
      case e: IllegalArgumentException =>
        wrong(s"$path.$name", e.getMessage.stripPrefix("requirement failed: "))
    }
  }

  private def mismatch(path: String, expected: String, found: JsonNode): Nothing = {
    val kind =
      if (found.isObject) "an object"
      else if (found.isArray) "an array"
      else if (found.isTextual) "a string"
      else if (found.isNumber) "a number"
      else if (found.isBoolean) "a boolean"
      else "null"
    wrong(path, s"$expected is expected, not $kind")
  }

  private def wrong(path: String, problem: String): Nothing =
    throw new IllegalArgumentException(s"Filter in JSON, at $path: $problem.")
}
