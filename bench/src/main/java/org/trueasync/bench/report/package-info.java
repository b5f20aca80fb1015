/** Evaluation of the figures: rows, targets, medians, and the one table. */
package org.trueasync.bench.report;
