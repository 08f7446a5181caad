package io.sparksieve.common

/** A DSv2 table that equals another only if both return the same rows at every read. */
private[sparksieve] trait UnchangingTable
