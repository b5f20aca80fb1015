package org.trueasync.bench;

import org.trueasync.bench.report.Results;

/**
 * The smallest part of a round that can fail alone: a fork, a process, or the processes of several peers that take
 * turns.
 */
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
