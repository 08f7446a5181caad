// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

/** The requests of Spark's UI, whose package differs between Spark lines. */
private[sieve] object Servlet {
  type Request = javax.servlet.http.HttpServletRequest
}
