// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

/** Gives expressions the names and ids of the attributes that they compute. */
private[setop] object NamedOutputs {
  def apply(attributes: Seq[Attribute], values: Seq[Expression]): Seq[NamedExpression] =
    attributes.zip(values).map {
      case (a, same: Attribute) if same.exprId == a.exprId => same
      case (a, value) => Alias(value, a.name)(a.exprId, a.qualifier, Some(a.metadata))
    }
}
