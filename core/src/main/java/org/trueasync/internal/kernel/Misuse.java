package org.trueasync.internal.kernel;

import java.util.List;
import org.trueasync.AsyncException;

/** The messages for calls that are made at the wrong place; each names the place and the way out. */
final class Misuse {
    private static final String TO_THAT_LOOP = handedTo("that loop");

    private Misuse() {}

    /**
     * A place where some calls can't be made.
     *
     * @param where what follows "called"
     * @param wayOut how the same is done from there
     */
    private record Place(String where, String wayOut) {
        static Place section(Loop loop, String call) {
            return new Place(
                    "inside blocking(...) of " + name(loop) + ", which runs beside the loop",
                    call.equals("Async.blocking")
                            ? "it may block as it is, so call the task itself"
                            : "return from it first, or hand work for the loop to an executor() taken before it");
        }

        static Place thread(List<Loop> loops) {
            boolean isOne = loops.size() == 1;
            return new Place(
                    onThread() + ", which is outside of "
                            + (isOne ? name(loops.getFirst()) : "all " + loops.size() + " loops"),
                    handedTo(isOne ? "that loop" : "one of them") + ", or begin a runtime here with Async.run(...)");
        }

        static Place threadWithoutRuntimes() {
            return new Place(
                    onThread() + ", but it needs a runtime, and none runs",
                    "call it inside Async.run(...), or start the program with the trueasync command");
        }

        static Place otherLoop(Loop here, Loop owner) {
            Loop.Core core = here.core();
            Loop.Core other = owner.core();
            return core != null && other != null && core.program() == other.program()
                    ? new Place(
                            "on core " + core.index(),
                            "run it there with Cores.current().on(" + other.index()
                                    + ", ...), or send values through a ThreadChannel")
                    : new Place(
                            onThread() + " of " + name(here),
                            TO_THAT_LOOP + ", or send values through a ThreadChannel");
        }

        static Place libraryThread(Loop loop) {
            return new Place(
                    "in '" + Thread.currentThread() + "' on " + name(loop) + ", which is no coroutine",
                    "spawn one for it, or start such threads with Async.threadFactory()");
        }

        static Place callback(Loop loop) {
            return new Place("in a callback of " + name(loop) + ", which is no coroutine", "spawn one for it");
        }

        private static String onThread() {
            return "on thread '" + Runtimes.threadName() + "'";
        }

        AsyncException refuses(String call) {
            return new AsyncException(call + " called " + where + "; " + wayOut);
        }

        AsyncException refuses(String call, Loop owner) {
            return new AsyncException(call + " called " + where + ", but what it uses belongs to " + name(owner)
                    + " on thread '" + owner.loopThread.getName() + "'; " + wayOut);
        }
    }

    private static String handedTo(String loop) {
        return "hand it to " + loop + ", by an executor() taken there or by AsyncRuntime.submit(...)";
    }

    private static String name(Loop loop) {
        return "loop '" + loop.name() + "'";
    }

    /** For a call on a thread without a loop. */
    static AsyncException noRuntime(String call) {
        Loop section = Runtimes.sectionOrNull();
        List<Loop> loops = Runtimes.all();
        if (section != null && loops.contains(section))
            return Place.section(section, call).refuses(call);
        return (loops.isEmpty() ? Place.threadWithoutRuntimes() : Place.thread(loops)).refuses(call);
    }

    /** For a call on another thread than that of the loop whose things it uses. */
    static AsyncException foreignThread(String call, Loop owner) {
        if (owner.isStopped()) return hasEnded(call, owner);
        Loop here = Runtimes.hereOrNull();
        if (here != null) return Place.otherLoop(here, owner).refuses(call, owner);
        Loop section = Runtimes.sectionOrNull();
        if (section == null) return new Place(Place.onThread(), TO_THAT_LOOP).refuses(call, owner);
        Place place = Place.section(section, call);
        return section == owner ? place.refuses(call) : new Place(place.where, TO_THAT_LOOP).refuses(call, owner);
    }

    /** For a call on the loop thread that needs a coroutine, where none runs. */
    static AsyncException noCoroutine(String call, Loop loop) {
        if (!loop.isLoopThread()) return foreignThread(call, loop);
        if (loop.isStopped()) return hasEnded(call, loop);
        if (loop.agenda.microtasks.isDraining()) return schedulerContext("a microtask");
        boolean isLibrarys = loop.agenda.libraryThreads.running() == Thread.currentThread();
        return (isLibrarys ? Place.libraryThread(loop) : Place.callback(loop)).refuses(call);
    }

    /** For a call that looks at the stack of a coroutine, which the loop thread may be running at this moment. */
    static AsyncException foreignInspection(String call, Loop owner) {
        return new AsyncException(call + " called on thread '" + Runtimes.threadName()
                + "', but only loop '" + owner.name() + "' on thread '" + owner.loopThread.getName()
                + "' can look at the stacks of its coroutines; AsyncRuntime.dump() and Async.dump() show them on any"
                + " thread");
    }

    static AsyncException hasEnded(String call, Loop owner) {
        return new AsyncException(call + " called on what belongs to runtime '" + owner.name()
                + "', which has ended; make it anew in a runtime that runs, Async.run(...) begins one");
    }

    static AsyncException scopeHasEnded(CoroutineScope scope) {
        return new AsyncException("can't spawn in a scope that is " + (scope.isClosed() ? "closed" : "cancelled")
                + "; use a new one, or another one that is open");
    }

    static AsyncException notTheRunningCoroutine(CoroutineImpl<?> coroutine, Loop loop) {
        if (!loop.isLoopThread()) return foreignThread("Waker.await of coroutine " + coroutine.label(), loop);
        return new AsyncException(
                "coroutine " + coroutine.label() + " does not run now, only the running coroutine can wait");
    }

    static AsyncException waitsForItself(CoroutineImpl<?> self) {
        return new AsyncException("coroutine " + self.label() + " would wait for itself: it awaits "
                + String.join("; ", self.awaitedEvents())
                + ", which can't come before its own end; leave that wait out, or make it in another coroutine");
    }

    static AsyncException schedulerContext(CoroutineImpl<?> self) {
        // What ends refuses waits from before the callbacks of its end.
        if (self.isCompleted()) return schedulerContext("a callback at the end of coroutine " + self.label());
        return schedulerContext(
                self.refusesWaits() || self.isServed() ? "a switch handler" : "what the scheduler calls");
    }

    static AsyncException schedulerContext(String where) {
        return new AsyncException(
                where + " may not suspend: it runs in scheduler context; spawn a coroutine for what must wait");
    }

    static AsyncException runtimeHere(Loop running) {
        return new AsyncException("runtime '" + running.name()
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
