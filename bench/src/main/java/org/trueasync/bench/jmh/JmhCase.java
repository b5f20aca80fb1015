package org.trueasync.bench.jmh;

import java.util.Map;
import java.util.Optional;
import org.trueasync.bench.report.Row;

/**
 * One JMH benchmark with one set of parameters, which all peers run.
 *
 * @param time the row of its nanoseconds
 * @param bytes the row of the bytes that it allocates per operation, if the table has one
 */
record JmhCase(Class<?> benchmark, String method, Map<String, String> parameters, Row time, Optional<Row> bytes) {}
