package org.trueasync.testkit.simulation;

/** Says what a simulation consists of. Called once for each run, before its hosts begin. */
@FunctionalInterface
public interface Scenario {
    /**
     * Adds hosts, clients and faults. All state that they share is made here: runs that share state do not repeat.
     *
     * @param sim an empty simulation
     */
    void define(Simulation sim) throws Throwable;
}
