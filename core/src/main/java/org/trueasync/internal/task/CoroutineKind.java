package org.trueasync.internal.task;

import java.util.List;

/** What a coroutine is for, and what follows from that for its life. */
public enum CoroutineKind {
    /** A user's; code has its handle. */
    ORDINARY(),
    /** A user's that is not meant to be awaited: its error goes to its scope at once, even if it is awaited. */
    LAUNCHED(Trait.FORGOTTEN),
    /** The first one of a run. */
    MAIN(Trait.FORGOTTEN),
    /** Code that follows an event or an error: a continuation, a handler, a clean-up action. */
    FOLLOW_UP(Trait.MUST_RUN, Trait.FORGOTTEN),
    /** What is owed to whoever has handed it over: a finally handler, a thread of the thread factory. */
    OWED(Trait.MUST_RUN, Trait.FORGOTTEN, Trait.RESPECTS_SHUTDOWN),
    /** As {@link #OWED}, and work that a drain waits for: the task of an executor, a drain hook. */
    WORK(Trait.MUST_RUN, Trait.FORGOTTEN, Trait.RESPECTS_SHUTDOWN, Trait.DRAINED),
    /** A service coroutine of the kernel: not listed, not counted, not cancelled. */
    INTERNAL();

    private enum Trait {
        MUST_RUN,
        FORGOTTEN,
        RESPECTS_SHUTDOWN,
        DRAINED
    }

    private static final CoroutineKind[] ALL = values();

    /** It begins even if its scope has ended or a shutdown has begun. It inherits nothing from what has made it. */
    public final boolean mustRun;
    /** No code will ask its handle for its error. */
    public final boolean isForgotten;
    /** If a shutdown has begun before it begins, its first wait throws. */
    public final boolean respectsShutdown;
    /** A drain waits for it. */
    public final boolean isDrained;

    CoroutineKind(Trait... traits) {
        var all = List.of(traits);
        mustRun = all.contains(Trait.MUST_RUN);
        isForgotten = all.contains(Trait.FORGOTTEN);
        respectsShutdown = all.contains(Trait.RESPECTS_SHUTDOWN);
        isDrained = all.contains(Trait.DRAINED);
    }

    /** The kind with this ordinal. */
    public static CoroutineKind at(int ordinal) {
        return ALL[ordinal];
    }
}
