package io.sparksieve.common

/** A DSv2 table that is equal to another only if both give the same rows, whenever they are read. */
trait UnchangingTable
