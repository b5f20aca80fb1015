package org.trueasync.internal.kernel;

import java.util.List;

/**
 * A yield: the coroutine goes to the back of the run queue, whatever its priority, as it wants the others to run. If
 * nothing else is ready, it goes on at once.
 */
final class YieldWait implements Wait {
    static final YieldWait INSTANCE = new YieldWait();

    private YieldWait() {}

    @Override
    public void begin(CoroutineImpl<?> coroutine) {
        Loop loop = coroutine.loop();
        // In the final phase, after too many refusals, a coroutine that yields is never woken.
        if (coroutine.is(CoroutineFlags.LEFT_WAITING)) return;
        if (loop.agenda.isEmpty() && !loop.clock.isDue()) coroutine.wake(null);
        else coroutine.queueLast();
    }

    @Override
    public void end() {}

    @Override
    public void describe(List<String> lines) {
        lines.add("its turn");
    }
}
