package org.trueasync.bench.growth;

/** Makes a number of elements that exist all at once, uses each of them, and releases them all. In a coroutine. */
@FunctionalInterface
interface Elements {

    /** Returns how many were used: {@code count}, or something is wrong. */
    long all(int count) throws Exception;
}
