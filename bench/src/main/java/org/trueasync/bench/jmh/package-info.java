/** The workloads that JMH measures: those whose operations take nanoseconds. */
package org.trueasync.bench.jmh;
