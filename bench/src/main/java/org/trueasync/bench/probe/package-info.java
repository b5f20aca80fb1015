/** Measurements for which JMH is not made: a million objects, weighed or timed once in a process of their own. */
package org.trueasync.bench.probe;
