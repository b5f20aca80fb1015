/**
 * The driver behind {@code bin/bench}: reads the options, runs every suite in rounds and prints one table. What is measured lives in {@code
 * workload}, who does it in {@code peer}, how it is measured in {@code jmh}, {@code probe} and {@code echo}, and what becomes of the figures
 * in {@code report}.
 */
package org.trueasync.bench;
