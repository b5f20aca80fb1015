package org.trueasync.internal.process;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The waits for ends of processes, in all runtimes: one source for each process, whatever the number of waits. The end
 * of our own child is reported by its reactor, with its status; that of any other process by the JDK, without a status.
 */
final class ProcessTable {
    /** The waits for one process. Made by the first wait, removed when the process ends. All methods: any thread. */
    static final class Source {
        private final ConcurrentLinkedQueue<ProcessEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile boolean over;
        private volatile @Nullable Integer status;

        void join(ProcessEvent event) {
            waiting.add(event);
            if (over) notifyAllWaiting();
        }

        void leave(ProcessEvent event) {
            waiting.remove(event);
        }

        private void ended(@Nullable Integer exitStatus) {
            status = exitStatus;
            over = true;
            notifyAllWaiting();
        }

        /** Passes the end on to all events; each one is taken by one thread only. */
        private void notifyAllWaiting() {
            ProcessEvent event;
            while ((event = waiting.poll()) != null) event.endedElsewhere(status);
        }
    }

    private static final ConcurrentHashMap<ProcessHandle, Source> FOREIGN = new ConcurrentHashMap<>();
    private static final ConcurrentHashMap<ChildCore, Source> CHILDREN = new ConcurrentHashMap<>();

    private ProcessTable() {}

    /** Returns the source for a process. Loop thread. */
    static Source of(ProcessHandle process) {
        ChildCore child = ChildCore.withPid(process.pid());
        return child != null && child.is(process) ? ofChild(child, process) : ofForeign(process);
    }

    private static Source ofChild(ChildCore child, ProcessHandle process) {
        Source source = CHILDREN.computeIfAbsent(child, c -> new Source());
        // The child may have ended, or been detached, before the source was in the table.
        if (ChildCore.withPid(process.pid()) != child && CHILDREN.remove(child, source)) {
            if (child.hasEnded()) source.ended(child.status());
            else begin(process, source);
        }
        return source;
    }

    private static Source ofForeign(ProcessHandle process) {
        Source source = FOREIGN.computeIfAbsent(process, p -> new Source());
        begin(process, source);
        return source;
    }

    private static void begin(ProcessHandle process, Source source) {
        if (!source.begun.compareAndSet(false, true)) return;
        CompletionStage<ProcessHandle> end = process.onExit();
        end.whenComplete((ended, thrown) -> {
            FOREIGN.remove(process, source);
            source.ended(null);
        });
    }

    /** Passes on that the reactor has reaped a child. In the loop's frame. */
    static void ended(ChildCore child, int status) {
        Source source = CHILDREN.remove(child);
        if (source != null) source.ended(status);
    }

    /** Lets the JDK report a child's end, because its reactor will not do so any more. */
    static void detached(ChildCore child) {
        Source source = CHILDREN.remove(child);
        if (source != null)
            ProcessHandle.of(child.pid()).ifPresentOrElse(process -> begin(process, source), () -> source.ended(null));
    }
}
