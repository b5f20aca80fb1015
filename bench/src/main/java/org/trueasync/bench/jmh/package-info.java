/** The workloads that JMH measures: those of nanoseconds. */
package org.trueasync.bench.jmh;
