package org.trueasync.io;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.testkit.ThreadLoads;

/** Runtimes that wake each other. */
@Tag("deep")
public abstract class ThreadsConformance {
    @Test
    @Tag("T10")
    @Tag("E15")
    void channels_bringEachValueOnceAndInOrder() {
        for (int capacity : new int[] {1, 16}) Runs.run(() -> ThreadLoads.manyToMany(capacity, 2_000));
    }

    @Test
    @Tag("T10")
    @Tag("E15")
    void answersAtAnyMomentOfTheWayToSleep_areReceived() {
        for (int seed = 1; seed <= 3; seed++) {
            int number = seed;
            Runs.run(() -> ThreadLoads.questions(number, 10_000));
        }
    }

    @Test
    @Tag("F2")
    @Tag("F11")
    void cancelledSendersAndReceivers_loseNothing() {
        for (int seed = 1; seed <= 3; seed++) {
            int number = seed;
            Runs.run(() -> ThreadLoads.cancelled(number, 500));
        }
    }

    @Test
    @Tag("T21")
    @Tag("T23")
    @Tag("T28")
    void pools_endEachTaskOnce() {
        for (int seed = 1; seed <= 4; seed++) {
            int number = seed;
            Runs.run(() -> ThreadLoads.pool(number, 100, number % 2 == 0));
            Runs.run(() -> ThreadLoads.poolThatEnds(number, number % 2 == 0));
        }
    }
}
