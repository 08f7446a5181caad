// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.compat.SparkCompat
import io.sparksieve.setop.proof.Cache
import io.sparksieve.setop.sources.SourcesTest

/** What the cache says of a plan whose files have changed since they were cached. */
class SessionCacheSuite extends SourcesTest {

  for (v1 <- Seq("parquet", ""))
    test(s"a cache is stale once files were added, with V1 sources '$v1'") {
      withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> v1)(withTempPath { dir =>
        spark.range(5).coalesce(1).write.parquet(dir.getPath)
        def read = spark.read.parquet(dir.getPath)
        def looked = {
          val cache = new SessionCache(SparkCompat.cacheManager(spark))
          cache(read.queryExecution.analyzed)
        }
        assert(looked == Cache.Miss)
        try {
          read.cache().count()
          assert(looked.isInstanceOf[Cache.Hit])
          copyFile(dir)
          assert(looked == Cache.Stale)
        } finally spark.catalog.clearCache()
      })
    }
}
