package org.trueasync.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;

/** A run of a command, in a coroutine of its own while the event is active. */
final class ExecEvent extends OnceEvent {
    private final Loop loop;
    private final Exec command;
    private @Nullable Coroutine<?> running;

    ExecEvent(Loop loop, Exec command) {
        super(loop.activeEvents());
        this.loop = loop;
        this.command = command;
    }

    @Override
    protected void armSource() {
        Coroutine<?>[] self = new Coroutine<?>[1];
        Coroutine<?> coroutine = loop.spawn(CoroutineKind.ORDINARY, null, Tasks.task((Body) () -> run(self)));
        self[0] = coroutine;
        Awaiting.markUsed(coroutine);
        running = coroutine;
    }

    private void run(Coroutine<?>[] self) {
        ExecResult result = null;
        Throwable thrown = null;
        try {
            result = command.run();
        } catch (Throwable e) {
            thrown = e;
        }
        if (running != self[0]) return; // stopped meanwhile
        running = null;
        happen(result, thrown);
    }

    @Override
    protected void disarmSource() {
        Coroutine<?> coroutine = running;
        running = null;
        if (coroutine != null) coroutine.cancel();
    }

    @Override
    public String info() {
        return "run of " + command + (hasHappened() ? ", ended" : "");
    }
}
