package org.trueasync.bench;

import org.trueasync.bench.report.Results;

/** One fork or one process: the smallest thing that can fail alone. */
public record Measurement(String name, Action action) {

    /** Measures and adds the figures. */
    @FunctionalInterface
    public interface Action {
        void run(Results results) throws Exception;
    }

    void run(Results results) throws Exception {
        action.run(results);
    }
}
