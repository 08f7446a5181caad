// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import java.util.{Base64, Collections, HashMap => JavaMap}

import scala.sys.process._

import org.apache.spark.api.python.{PythonBroadcast, PythonEvalType, SimplePythonFunction}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction
import org.apache.spark.sql.types.IntegerType

/**
 * Registers Python UDFs. Without a Python program, only code in Spark's own packages can do that.
 */
object PythonFunctions {

  /**
   * Registers functions that map a string to an INT.
   *
   * @param program
   *   a Python executable with the session's version of pyspark
   * @param functions
   *   names, each with the function's Python source
   */
  def register(spark: SparkSession, program: String, functions: Seq[(String, String)]): Unit = {
    val version = output(program, "import sys; print('%d.%d' % sys.version_info[:2])")
    functions.foreach { case (name, text) =>
      val pickled = output(
        program,
        "import base64; from pyspark.serializers import CloudPickleSerializer; " +
          "from pyspark.sql.types import IntegerType; " +
          s"print(base64.b64encode(CloudPickleSerializer().dumps(($text, IntegerType()))).decode())"
      )
      val function = new SimplePythonFunction(
        Base64.getDecoder.decode(pickled),
        new JavaMap[String, String],
        Collections.emptyList[String],
        program,
        version,
        Collections.emptyList[Broadcast[PythonBroadcast]],
        null
      )
      val udf = UserDefinedPythonFunction(
        name,
        function,
        IntegerType,
        PythonEvalType.SQL_BATCHED_UDF,
        udfDeterministic = true)
      spark.sessionState.functionRegistry
        .createOrReplaceTempFunction(name, udf.builder(_), "python_udf")
    }
  }

  private def output(program: String, code: String): String = Seq(program, "-c", code).!!.trim
}
