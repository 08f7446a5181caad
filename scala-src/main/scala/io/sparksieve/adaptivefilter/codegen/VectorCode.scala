// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types.DataType

/** Generates Java code that reads the value of a column from its vector. */
private[adaptivefilter] object VectorCode {

  /**
   * @param vector
   *   the variable of the vector
   * @param row
   *   the variable of the row's number
   * @param nullable
   *   whether the value may be NULL
   */
  def apply(
      ctx: CodegenContext,
      vector: String,
      row: String,
      dataType: DataType,
      nullable: Boolean): ExprCode = {
    val javaType = CodeGenerator.javaType(dataType)
    val get = CodeGenerator.getValueFromVector(vector, dataType, row)
    val value = JavaCode.variable(ctx.freshName("value"), dataType)
    if (!nullable) ExprCode(code"$javaType $value = $get;", FalseLiteral, value)
    else {
      val isNull = JavaCode.isNullVariable(ctx.freshName("isNull"))
      val default = CodeGenerator.defaultValue(dataType)
      ExprCode(
        code"""
          boolean $isNull = $vector.isNullAt($row);
          $javaType $value = $isNull ? $default : ($get);
        """,
        isNull,
        value)
    }
  }
}
