package org.trueasync.internal.kernel;

import org.trueasync.AsyncException;

/** The messages for calls that are made at the wrong place; each names the place and the way out. */
final class Misuse {
    private Misuse() {}

    static AsyncException noRuntime(String call) {
        return new AsyncException(call + " needs a runtime, and none runs on thread '"
                + Runtimes.threadName()
                + "'; call it inside Async.run(...), or start the program with the trueasync command");
    }

    static AsyncException foreignThread(String call, Scheduler owner) {
        return new AsyncException(call + " called on thread '" + Runtimes.threadName()
                + "', but what it is called on belongs to loop '" + owner.settings.name() + "' on thread '"
                + owner.loopThread.getName() + "'; hand work over with executor()");
    }

    /** For a call that looks at the stack of a coroutine, which the loop thread may be running at this moment. */
    static AsyncException foreignInspection(String call, Scheduler owner) {
        return new AsyncException(call + " called on thread '" + Runtimes.threadName()
                + "', but only loop '" + owner.settings.name() + "' on thread '" + owner.loopThread.getName()
                + "' can look at the stacks of its coroutines; AsyncRuntime.dump() and Async.dump() show them on any"
                + " thread");
    }

    static AsyncException hasEnded(Scheduler scheduler) {
        return new AsyncException(
                "runtime '" + scheduler.settings.name() + "' has ended; start another one with Async.run");
    }

    static AsyncException scopeHasEnded(CoroutineScope scope) {
        return new AsyncException("can't spawn in a scope that is " + (scope.isClosed() ? "closed" : "cancelled")
                + "; use a new one, or another one that is open");
    }

    static AsyncException notTheRunningCoroutine(CoroutineImpl<?> coroutine, Scheduler scheduler) {
        if (!scheduler.isLoopThread()) return foreignThread("a wait of coroutine " + coroutine.label(), scheduler);
        return new AsyncException(
                "coroutine " + coroutine.label() + " does not run now, only the running coroutine can wait");
    }

    static AsyncException waitsForItself(CoroutineImpl<?> self) {
        return new AsyncException("coroutine " + self.label() + " would wait for itself: it awaits "
                + String.join("; ", self.awaitedEvents())
                + ", which can't come before its own end; leave that wait out, or make it in another coroutine");
    }

    static AsyncException schedulerContext(CoroutineImpl<?> self) {
        if (self.refusesWaits() || self.isServed()) return schedulerContext("a switch handler");
        return schedulerContext(
                self.isCompleted() ? "a callback at the end of coroutine " + self.label() : "what the scheduler calls");
    }

    static AsyncException schedulerContext(String where) {
        return new AsyncException(
                where + " may not suspend: it runs in scheduler context; spawn a coroutine for what must wait");
    }

    static AsyncException runtimeHere(Scheduler running) {
        return new AsyncException("runtime '" + running.settings.name()
                + "' runs on this thread already; use spawn inside it, or run another one on a thread of its own");
    }

    /** The coroutine could not leave the thread; says what holds it there, and where. */
    static AsyncException pinned(CoroutineImpl<?> coroutine) {
        StackTraceElement[] trace = Thread.currentThread().getStackTrace();
        String culprit = "a native frame or a critical section of the JDK";
        for (StackTraceElement frame : trace) {
            if (frame.getMethodName().equals("<clinit>")) {
                culprit = "the class initialiser of " + frame.getClassName() + " (" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")";
                break;
            }
            if (frame.isNativeMethod()
                    && !frame.getClassName().startsWith("java.lang.Thread")
                    && !frame.getClassName().startsWith("jdk.internal.vm.")) {
                culprit = "native code under " + frame.getClassName() + "." + frame.getMethodName();
                break;
            }
        }
        return new AsyncException("coroutine " + coroutine.label() + " can't suspend here: it is pinned by " + culprit
                + "; do the waiting outside of it, or use a thread");
    }

    /** The stack of a coroutine could not be moved to the heap, see {@link VirtualThreads#isTooLargeToFreeze}. */
    static StackOverflowError stackTooLarge(CoroutineImpl<?> coroutine) {
        return new StackOverflowError("coroutine " + coroutine.label()
                + " can't suspend here: G1 keeps a suspended stack in one object of at most half a heap region, and this"
                + " stack is larger; recurse less deep, or run with larger regions (-XX:G1HeapRegionSize=32m) or with"
                + " another collector (-XX:+UseSerialGC)");
    }
}
