package org.trueasync.internal.blackbox;

import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.internal.recorder.WaitClass;

/**
 * What the class of an awaited thing tells of a wait.
 *
 * @param kind where an account puts it
 * @param text as the descriptions of such waits begin, if there is none
 */
public record WaitKind(Kind kind, String text) {
    private static final String OURS = "org.trueasync.internal.";

    /** That of a number of {@link WaitClass}. */
    public static WaitKind of(int number) {
        return ofClass(WaitClass.of(number).name());
    }

    static WaitKind ofClass(String name) {
        if (name.isEmpty() || name.startsWith("java.")) return ofJdk(name);
        String simple = name.substring(name.lastIndexOf('.') + 1);
        if (name.startsWith(OURS + "kernel.YieldWait")) return new WaitKind(Kind.QUEUE, "its turn");
        if (simple.contains("Sleep") || simple.contains("Timer") || simple.contains("Timeout"))
            return new WaitKind(Kind.TIMER, "timer");
        if (name.startsWith(OURS + "pool.")) return new WaitKind(Kind.POOL, "acquire from a pool");
        if (name.startsWith(OURS + "channel.")) return new WaitKind(Kind.CHANNEL, "receive from or send to a channel");
        if (name.startsWith(OURS + "sync.")) return new WaitKind(Kind.LOCK, "mutex, semaphore, latch or barrier");
        if (name.startsWith(OURS + "work.") || name.startsWith(OURS + "threads.") || simple.startsWith("StageEvent"))
            return new WaitKind(Kind.BLOCKING, "task on another thread");
        if (name.startsWith(OURS + "process.")) return new WaitKind(Kind.OTHER, "end of child process");
        if (name.contains(".io.") || name.contains(".http.") || simple.startsWith("Poll") || name.contains(".reactor."))
            return new WaitKind(Kind.IO, "read or write");
        if (name.startsWith(OURS)) return new WaitKind(Kind.COROUTINE, "coroutine or future");
        return new WaitKind(Kind.OTHER, "an event, " + simple);
    }

    private static WaitKind ofJdk(String blocker) {
        if (blocker.contains("ReentrantLock") || blocker.contains("ReadWriteLock"))
            return new WaitKind(Kind.LOCK, "JDK code, a lock");
        return new WaitKind(Kind.JDK, "JDK code");
    }
}
