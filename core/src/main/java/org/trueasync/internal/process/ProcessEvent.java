package org.trueasync.internal.process;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.Loop;

/** The end of any process; closes with its exit status, or null if that can't be known. */
public final class ProcessEvent extends OnceEvent {
    private final Loop loop;
    private final ProcessHandle process;
    /** The process as the JDK's child, which knows the status; null if it is not, or we don't know. */
    private final @Nullable Process child;

    private ProcessTable.@Nullable Source source;
    private boolean watched;

    /**
     * The end of a process.
     *
     * @param loop whose coroutines wait
     * @param process which
     * @param child the same as a child of the JDK's, or null
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

    /** Any thread. */
    void endedElsewhere(@Nullable Integer exitStatus) {
        loop.post(() -> happen(exitStatus, null));
    }

    @Override
    public String info() {
        return "end of process " + process.pid()
                + (hasHappened() ? ", exit status " + (value() == null ? "unknown" : value()) : "");
    }
}
