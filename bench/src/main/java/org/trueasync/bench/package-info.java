/**
 * The driver behind {@code bin/bench}: reads the options, runs every suite in rounds and prints one table. What is
 * measured lives in {@code workload}, the code of each peer in {@code peer}, how it is measured in {@code jmh},
 * {@code probe} and {@code echo}, and how the figures are shown in {@code report}.
 */
package org.trueasync.bench;
