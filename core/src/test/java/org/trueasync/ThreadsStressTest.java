package org.trueasync;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;
import org.trueasync.testkit.ThreadLoads;

/** Real threads on channels and pools. */
class ThreadsStressTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T10")
    @Tag("T13")
    void sendersAndReceiversInManyRuntimes_eachValueComesOnceAndInOrder() {
        for (int capacity : new int[] {1, 3, 64}) Threads.run(() -> ThreadLoads.manyToMany(capacity, 3_000));
    }

    @Test
    @Tag("F2")
    @Tag("F3")
    @Tag("F11")
    @Tag("F36")
    void sendersAndReceiversThatAreCancelled_loseNothingAndLeaveNothingBehind() {
        for (int seed = 1; seed <= 10; seed++) {
            int number = seed;
            Threads.run(() -> ThreadLoads.cancelled(number, 1_000));
        }
    }

    @Test
    @Tag("T21")
    @Tag("T26")
    @Tag("T28")
    @Tag("F75")
    void tasksOfAllKindsAndReloads_eachFutureEndsAsItsTask() {
        for (int seed = 1; seed <= 10; seed++) {
            int number = seed;
            Threads.run(() -> ThreadLoads.pool(number, 200, number % 2 == 0));
        }
    }

    @Test
    @Tag("T21")
    @Tag("T23")
    void poolThatEndsWhileOthersSubmit_eachSubmissionIsRefusedOrEnds() {
        for (int seed = 1; seed <= 40; seed++) {
            int number = seed;
            Threads.run(() -> ThreadLoads.poolThatEnds(number, number % 2 == 0));
        }
    }
}
