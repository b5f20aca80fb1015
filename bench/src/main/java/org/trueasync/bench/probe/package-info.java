/** What JMH is not made for: a million of something, weighed or timed once in a process of its own. */
package org.trueasync.bench.probe;
