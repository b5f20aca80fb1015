package org.trueasync.internal.process;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the end of which process, over all runtimes: one source for each process, however many wait. The end of a child of ours is told
 * by its reactor, with its status; that of any other process by the JDK, without.
 */
final class ProcessTable {
    /** Waits for one process; made by the first who waits, goes when the process ends. All methods: any thread. */
    static final class Source {
        private final ConcurrentLinkedQueue<ProcessEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile boolean over;
        private volatile @Nullable Integer status;

        void join(ProcessEvent event) {
            waiting.add(event);
            if (over) tellAll();
        }

        void leave(ProcessEvent event) {
            waiting.remove(event);
        }

        private void ended(@Nullable Integer exitStatus) {
            status = exitStatus;
            over = true;
            tellAll();
        }

        /** Each is taken by one thread only. */
        private void tellAll() {
            ProcessEvent event;
            while ((event = waiting.poll()) != null) event.endedElsewhere(status);
        }
    }

    private static final ConcurrentHashMap<ProcessHandle, Source> FOREIGN = new ConcurrentHashMap<>();
    private static final ConcurrentHashMap<ChildCore, Source> CHILDREN = new ConcurrentHashMap<>();

    private ProcessTable() {}

    /** The source for a process; on the loop thread. */
    static Source of(ProcessHandle process) {
        ChildCore child = ChildCore.withPid(process.pid());
        return child != null && child.is(process) ? ofChild(child, process) : ofForeign(process);
    }

    private static Source ofChild(ChildCore child, ProcessHandle process) {
        Source source = CHILDREN.computeIfAbsent(child, c -> new Source());
        // It may have ended, or been forgotten, before the source was there to be told.
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

    /** The reactor has reaped a child. In the loop's frame. */
    static void ended(ChildCore child, int status) {
        Source source = CHILDREN.remove(child);
        if (source != null) source.ended(status);
    }

    /** Nobody will tell us of this child's end any more, but the JDK can see it. */
    static void forgotten(ChildCore child) {
        Source source = CHILDREN.remove(child);
        if (source != null)
            ProcessHandle.of(child.pid()).ifPresentOrElse(process -> begin(process, source), () -> source.ended(null));
    }
}
