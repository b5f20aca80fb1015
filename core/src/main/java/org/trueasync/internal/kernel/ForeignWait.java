package org.trueasync.internal.kernel;

/** What can be told about a coroutine that JDK code has parked: only its stack knows what it waits for. */
final class ForeignWait {
    private ForeignWait() {}

    /** True if the thread waits in socket I/O, which an interrupt closes instead of merely waking. */
    static boolean isSocketIo(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            String name = frame.getClassName();
            if (name.startsWith("sun.nio.ch.")) return true;
            if (CodeSites.isUserCode(name)) return false;
        }
        return false;
    }

    /** True if the thread is inside {@code System.exit}, from which it never returns. */
    static boolean isExit(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().equals("java.lang.Shutdown")
                    || (frame.getClassName().equals("java.lang.Runtime")
                            && frame.getMethodName().equals("exit"))) return true;
        }
        return false;
    }

    /** {@code blocked in java.util.concurrent.locks.LockSupport.park} and the like, the frame that the user's code called. */
    static String describe(Thread thread) {
        String called = "JDK code";
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (CodeSites.isUserCode(frame.getClassName())) break;
            called = frame.getClassName() + "." + frame.getMethodName();
        }
        return "blocked in " + called;
    }
}
