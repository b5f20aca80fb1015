package org.trueasync.stress.soak;

import java.util.ArrayList;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.Future;

/** Calls from one core to another, sixty-four at a time. Runs two loops of its own, on a thread and one more. */
final class CoresLane implements Lane {
    private static final int AT_A_TIME = 64;

    @Override
    public void run(Soak soak, Tally tally) throws Exception {
        Cores.builder().count(2).run(() -> {
            if (Cores.current().index() == 0) call(soak, tally);
        });
    }

    private static void call(Soak soak, Tally tally) {
        Cores cores = Cores.current();
        var sequence = new Sequence("cores"); // the other core has it, until a call has returned
        while (!soak.isOver()) {
            var calls = new ArrayList<Future<?>>();
            long first = sequence.take();
            calls.add(cores.submitTo(1, () -> sequence.got(first)));
            for (int i = 1; i < AT_A_TIME; i++) {
                long number = first + i;
                calls.add(cores.submitTo(1, () -> sequence.got(number)));
            }
            Async.awaitAllOrFail(calls);
            for (int i = 1; i < AT_A_TIME; i++) sequence.take();
            sequence.acknowledged(first + AT_A_TIME - 1);
            tally.messages += AT_A_TIME;
            for (int i = 0; i < AT_A_TIME; i++) {
                if (!soak.isFault()) continue;
                tally.faults++;
                long number = sequence.take();
                var mayHave = new long[] {-1};
                boolean returned = soak.cut(() -> mayHave[0] = cores.on(1, () -> number));
                if (returned && mayHave[0] != number) throw new AssertionError("another value");
                cores.on(1, () -> sequence.got(number));
            }
        }
    }
}
