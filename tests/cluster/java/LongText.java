// SPDX-License-Identifier: Apache-2.0
package cluster;

import org.apache.spark.sql.api.java.UDF1;

/** A function of a user, in Java: whether a text has more than twelve characters. */
public final class LongText implements UDF1<String, Boolean> {

  @Override
  public Boolean call(String text) {
    return text != null && text.length() > 12;
  }
}
