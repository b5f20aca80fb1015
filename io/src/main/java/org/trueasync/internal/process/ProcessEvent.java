package org.trueasync.internal.process;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.Loop;

/** The end of any process; happens with its exit status, or null if that can't be known. */
public final class ProcessEvent extends OnceEvent {
    private final Loop loop;
    private final ProcessHandle process;
    /** The process as a child that the JDK has started, which knows the status; null if there is no such object. */
    private final @Nullable Process child;

    private ProcessTable.@Nullable Source source;
    private boolean watched;

    /**
     * Makes the event for the end of a process.
     *
     * @param loop whose coroutines wait
     * @param process to wait for
     * @param child the same process, if the JDK has started it; else null
     */
    public ProcessEvent(Loop loop, ProcessHandle process, @Nullable Process child) {
        super(loop.activeEvents());
        if (process.pid() == ProcessHandle.current().pid())
            throw new IllegalArgumentException("a process can't wait for its own end, got its own number "
                    + process.pid() + "; use Cleanup.atEnd or a shutdown hook");
        this.loop = loop;
        this.process = process;
        this.child = child;
    }

    @Override
    protected void armSource() {
        Process known = child;
        if (known != null) {
            CompletionStage<Process> end = known.onExit();
            if (!watched) end.thenAccept(ended -> endedElsewhere(ended.exitValue()));
        } else {
            source = ProcessTable.of(process);
            source.join(this);
        }
        watched = true;
    }

    @Override
    protected void disarmSource() {
        if (source != null) source.leave(this);
    }

    /** Passes the end to the loop. Any thread. */
    void endedElsewhere(@Nullable Integer exitStatus) {
        loop.post(() -> happen(exitStatus, null));
    }

    @Override
    public String info() {
        return "end of process " + process.pid()
                + (hasHappened() ? ", exit status " + (value() == null ? "unknown" : value()) : "");
    }
}
