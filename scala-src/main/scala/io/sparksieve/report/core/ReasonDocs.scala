// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ArrayNode

/** The names of the features, and all reasons with their sentences, as JSON for the documentation. */
private[sparksieve] object ReasonDocs {

  private val mapper = new ObjectMapper

  def json: String = {
    val root = mapper.createObjectNode
    val features = root.putArray("features")
    Features.all.foreach(features.add)
    val declined = root.putArray("declined")
    Reason.all.foreach(reason => add(declined, reason.code, reason.meaning, None))
    val notPushed = root.putArray("not_pushed")
    NotPushedReason.all.foreach(r => add(notPushed, r.code, r.meaning, r.remedy))
    mapper.writerWithDefaultPrettyPrinter.writeValueAsString(root) + "\n"
  }

  private def add(
      reasons: ArrayNode,
      code: String,
      meaning: String,
      remedy: Option[String]): Unit = {
    val node = reasons.addObject.put("code", code).put("meaning", meaning)
    remedy.foreach(node.put("remedy", _))
  }
}
