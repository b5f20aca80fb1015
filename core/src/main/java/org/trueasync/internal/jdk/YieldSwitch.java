package org.trueasync.internal.jdk;

/**
 * Suspends by {@code Thread.yield}: the JDK hands the thread's task back to the scheduler at once, which keeps it until
 * the thread is to go on. Cheaper than park and unpark, and built on public behaviour alone.
 */
final class YieldSwitch implements ThreadSwitch {
    @Override
    public boolean start(SwitchedThread switched) {
        switched.thread.start();
        return false;
    }

    @Override
    public void run(SwitchedThread switched) {
        switched.task().run();
    }

    @Override
    public void resume(SwitchedThread switched) {
        switched.task().run();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it is our scheduler that the yield goes to
    public boolean leave(SwitchedThread switched) {
        switched.yielding = true;
        try {
            Thread.yield();
        } catch (Throwable e) {
            switched.yielding = false;
            throw e;
        }
        if (!switched.yielding) return true;
        switched.yielding = false;
        return false;
    }

    @Override
    public boolean isHandingOver(SwitchedThread switched) {
        if (!switched.yielding || !switched.isOnLoop()) return false;
        switched.yielding = false;
        return true;
    }

    @Override
    public StackTraceElement[] trace(SwitchedThread switched) {
        return switched.thread.getStackTrace();
    }
}
