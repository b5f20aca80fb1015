package org.trueasync.internal.kernel;

import java.util.List;
import org.trueasync.Coroutine;
import org.trueasync.internal.site.CodeSites;

/** What a report may see of a runtime beyond what its users see. Loop thread. */
public final class Inspection {
    /** What a coroutine that has not ended is up to. */
    public enum State {
        NOT_BEGUN("not begun"),
        RUNNING("running"),
        /** Has been woken and waits for its turn. */
        READY("ready"),
        WAITING("waiting"),
        /** Parked by JDK code. */
        IN_JDK("in JDK code");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /** For a person to read. */
        public String words() {
            return words;
        }
    }

    private Inspection() {}

    /** The scopes without a parent that have not closed, oldest first. */
    public static List<CoroutineScope> roots(Loop loop) {
        return ((Scheduler) loop).scopes.roots.toList();
    }

    /** The scopes in a scope that have not closed, oldest first; those of finally handlers too. */
    public static List<CoroutineScope> within(CoroutineScope scope) {
        return scope.children.toList();
    }

    /** True for a scope that exists for finally handlers alone. */
    public static boolean isForHandlers(CoroutineScope scope) {
        return scope.isHidden();
    }

    /** What it is up to. */
    public static State stateOf(Coroutine<?> coroutine) {
        if (!coroutine.isStarted()) return State.NOT_BEGUN;
        if (coroutine.isRunning()) return State.RUNNING;
        if (coroutine.isQueued()) return State.READY;
        return JdkPark.isParked(CoroutineImpl.of(coroutine)) ? State.IN_JDK : State.WAITING;
    }

    /** Its number and its name, for a person to read: {@code #4 'indexer'}. */
    public static String label(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).label();
    }

    /** True for the coroutine that the run began with. */
    public static boolean isMain(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).isMain();
    }

    /** True if its scope has ended and lets it go on. */
    public static boolean isZombie(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).isZombie();
    }

    /** True from the beginning of a shutdown. */
    public static boolean isShuttingDown(Loop loop) {
        return ((Scheduler) loop).shutdown.isShuttingDown();
    }

    /** {@code File.java:40}, the innermost line of user code. */
    public static String innermost(StackTraceElement[] trace) {
        return CodeSites.innermost(trace);
    }
}
