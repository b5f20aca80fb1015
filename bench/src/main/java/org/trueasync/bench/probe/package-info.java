/**
 * Measurements for which JMH is not made: a million coroutines, weighed or timed once in a process of their own, and
 * processes that read files or exchange datagrams, pass by pass in turn.
 */
package org.trueasync.bench.probe;
