package org.trueasync.internal.jdk;

import java.util.Set;
import org.trueasync.internal.error.CodeSites;

/** What the stack of a thread that JDK code has parked tells about its wait. Nothing else tells it. */
public final class ForeignWait {
    private static final String SYNCHRONIZER = "java.util.concurrent.locks.AbstractQueued";

    /** The JDK's waits that an interrupt does not end, except those of its queued synchronizers. */
    private static final Set<String> UNINTERRUPTIBLE = Set.of(
            "java.util.concurrent.CompletableFuture.join",
            "java.util.concurrent.ForkJoinTask.invoke",
            "java.util.concurrent.ForkJoinTask.join",
            "java.util.concurrent.ForkJoinTask.quietlyInvoke",
            "java.util.concurrent.ForkJoinTask.quietlyJoin",
            "java.util.concurrent.Phaser.arriveAndAwaitAdvance",
            "java.util.concurrent.Phaser.awaitAdvance",
            "java.util.concurrent.locks.StampedLock.readLock",
            "java.util.concurrent.locks.StampedLock.writeLock",
            "jdk.internal.misc.ThreadFlock.close");

    private ForeignWait() {}

    /**
     * True if a thread waits in such a way that an interrupt ends it. Code outside of the JDK is taken to heed
     * interrupts.
     *
     * @param state of the thread; not a waiting state if it has been woken already, or wants a monitor
     * @param trace where it stands
     */
    public static boolean isInterruptible(Thread.State state, StackTraceElement[] trace) {
        if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) return false;
        boolean acquires = false;
        for (int i = 0; i < trace.length; i++) {
            String name = trace[i].getClassName();
            String method = trace[i].getMethodName();
            if (CodeSites.isUserCode(name)) return true;
            if (UNINTERRUPTIBLE.contains(name + '.' + method)) return false;
            if (!name.startsWith(SYNCHRONIZER)) continue;
            acquires |= method.equals("acquire");
            boolean outermost =
                    i + 1 == trace.length || !trace[i + 1].getClassName().startsWith(SYNCHRONIZER);
            if (outermost && isUninterruptible(method, acquires)) return false;
        }
        return true;
    }

    /**
     * True if the wait of this method can't be interrupted. A condition's wait that is over takes its lock again, and
     * that is not interruptible.
     */
    private static boolean isUninterruptible(String method, boolean acquires) {
        return switch (method) {
            case "acquire", "acquireShared", "awaitUninterruptibly" -> true;
            case "await", "awaitNanos", "awaitUntil" -> acquires;
            default -> false;
        };
    }

    /** True if the thread waits in {@code Object.wait}. */
    public static boolean isObjectWait(StackTraceElement[] trace) {
        return trace.length > 0
                && trace[0].getClassName().equals("java.lang.Object")
                && trace[0].getMethodName().startsWith("wait");
    }

    /**
     * True if the thread waits in code of the JDK's channels and sockets: an interrupt closes a socket instead of
     * merely ending the wait.
     */
    public static boolean isSocketIo(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            String name = frame.getClassName();
            if (name.startsWith("sun.nio.ch.")) return true;
            if (CodeSites.isUserCode(name)) return false;
        }
        return false;
    }

    /** True if the thread is inside {@code System.exit}, from which it never returns. */
    public static boolean isExit(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().equals("java.lang.Shutdown")
                    || (frame.getClassName().equals("java.lang.Runtime")
                            && frame.getMethodName().equals("exit"))) return true;
        }
        return false;
    }

    /**
     * {@code blocked in java.util.concurrent.locks.LockSupport.park} and the like: the method that the user's code has
     * called.
     *
     * @param roots the packages of the code that runs tasks: the frames of a task that is JDK code alone end there
     */
    public static String describe(Thread thread, Set<String> roots) {
        String called = "JDK code";
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (CodeSites.isUserCode(name) || roots.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
                break;
            called = name + "." + frame.getMethodName();
        }
        return "blocked in " + called;
    }
}
