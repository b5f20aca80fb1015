package org.trueasync.internal.process;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** The end of any process; closes with its exit status, or null if that can't be known. */
public final class ProcessEvent extends SourceEvent {
    private final Loop loop;
    private final ProcessHandle process;
    /** The process as the JDK's child, which knows the status; null if it is not, or we don't know. */
    private final @Nullable Process child;

    private ProcessTable.@Nullable Source source;
    private boolean watched;
    private boolean done;
    private @Nullable Integer status;

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
        loop.post(() -> ended(exitStatus));
    }

    private void ended(@Nullable Integer exitStatus) {
        if (done) return;
        done = true;
        status = exitStatus;
        close();
        notifyCallbacks(exitStatus, null);
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!done) return super.replay(callback);
        deliver(callback, status, null);
        return true;
    }

    @Override
    public String info() {
        return "end of process " + process.pid()
                + (done ? ", exit status " + (status == null ? "unknown" : status) : "");
    }
}
