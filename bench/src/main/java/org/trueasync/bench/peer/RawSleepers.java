package org.trueasync.bench.peer;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.SleepSchedule;

/**
 * Bare continuations on the simplest timer, which has a list for each millisecond. A sleeper adds itself to the list of
 * its deadline and suspends; the loop goes through the lists by the clock and runs the sleepers that it finds.
 */
final class RawSleepers {

    private static final int NONE = -1;
    private static final int LONGEST_RUN_MILLIS = 120_000;

    private final Continuation[] sleepers;
    private final int[] slots = new int[LONGEST_RUN_MILLIS];
    private final int[] nextInSlot;
    private final Counter counter = new Counter();
    private final long start = System.nanoTime();

    RawSleepers(ContinuationScope scope, int count) {
        sleepers = new Continuation[count];
        nextInSlot = new int[count];
        Arrays.fill(slots, NONE);
        for (int i = 0; i < count; i++) {
            int self = i;
            sleepers[i] = new Continuation(scope, () -> {
                sleep(self);
                Continuation.yield(scope);
                counter.value++;
            });
        }
    }

    long run() {
        for (Continuation sleeper : sleepers) {
            sleeper.run();
        }
        int cursor = 0;
        while (counter.value < sleepers.length) {
            int now = elapsedMillis();
            while (cursor <= now) {
                runSlot(cursor++);
            }
            LockSupport.parkNanos(500_000);
        }
        return counter.value;
    }

    private void sleep(int self) {
        int deadline = elapsedMillis() + SleepSchedule.millis(self);
        nextInSlot[self] = slots[deadline];
        slots[deadline] = self;
    }

    private void runSlot(int slot) {
        for (int i = slots[slot]; i != NONE; i = nextInSlot[i]) {
            sleepers[i].run();
        }
    }

    private int elapsedMillis() {
        return (int) ((System.nanoTime() - start) / 1_000_000);
    }
}
