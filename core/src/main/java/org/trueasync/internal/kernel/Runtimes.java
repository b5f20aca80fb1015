package org.trueasync.internal.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.bridge.Owner;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.jdk.StackHeadroom;
import org.trueasync.internal.jdk.VirtualThreads;

/** The runtimes of this process: finds the one on the calling thread. */
public final class Runtimes {
    /** Copied on write: there are few runtimes, and almost every call looks one up. */
    private static volatile Loop[] running = {};

    private static final ThreadLocal<Loop> SECTION = new ThreadLocal<>();

    static {
        Owner.install(Runtimes::hereOrNull);
    }

    /** The thread of a loop that has given its own one away. */
    private static final Thread NO_THREAD = Thread.ofPlatform().name("none").unstarted(() -> {});

    /** One of several loops that share a thread. */
    public static final class Share {
        private @Nullable Loop loop;

        /** The loop, if it has begun, has the calling thread from now on. */
        public void enter() {
            if (loop != null) loop.loopThread = Thread.currentThread();
        }

        /** The loop that has the calling thread, if there is one, gives it away. */
        public void leave() {
            loop = hereOrNull();
            if (loop != null) loop.loopThread = NO_THREAD;
        }
    }

    private Runtimes() {}

    /** The loop whose thread the calling thread is, or is mounted on; null if there is none. */
    public static @Nullable Loop hereOrNull() {
        Loop[] all = running;
        if (all.length == 0) return null;
        Thread carrier = VirtualThreads.carrier();
        for (Loop loop : all) if (loop.loopThread == carrier) return loop;
        return null;
    }

    /**
     * Runs a blocking section of a coroutine on the calling thread, which has no loop. Calls for the loop are refused
     * there by the name of the place.
     *
     * @param loop the coroutine's
     */
    public static <T extends @Nullable Object> T runSection(Loop loop, Callable<T> section) throws Exception {
        SECTION.set(loop);
        try {
            return section.call();
        } finally {
            SECTION.remove();
        }
    }

    /** The loop whose blocking section runs on the calling thread; null if there is none. */
    static @Nullable Loop sectionOrNull() {
        return SECTION.get();
    }

    /** The runtimes of this process that have not ended. Any thread. */
    public static List<Loop> all() {
        return List.of(running);
    }

    /** The name of the calling thread, for messages; in a coroutine, that of its loop's thread. */
    public static String threadName() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() || (thread.isVirtual() && hereOrNull() != null)
                ? VirtualThreads.carrier().getName()
                : name;
    }

    /** The label of the coroutine that runs here, for messages; empty if none does. */
    public static String labelHere() {
        Loop here = hereOrNull();
        CoroutineImpl<?> self = here == null ? null : here.current;
        return self == null ? "" : self.label();
    }

    /**
     * The loop of the calling thread.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if there is none; names {@code Async.run} and the launcher
     * @throws StackOverflowError if the stack is too full to go on from here
     */
    public static Loop here(String call) {
        StackHeadroom.require();
        Loop loop = hereOrNull();
        if (loop == null) throw Misuse.noRuntime(call);
        return loop;
    }

    /**
     * The coroutine that runs here.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if there is none
     */
    public static CoroutineImpl<?> currentCoroutine(String call) {
        return here(call).requireCurrent(call);
    }

    static synchronized void register(Loop loop) {
        nameApart(loop);
        Loop[] more = Arrays.copyOf(running, running.length + 1);
        more[running.length] = loop;
        Handles.runBegins();
        running = more;
    }

    /** Two of the same name could not be told apart, neither by people nor in recordings. */
    private static void nameApart(Loop loop) {
        String wanted = loop.settings.name();
        for (int n = 2; isTaken(loop.name()); n++) loop.name(wanted + "-" + n);
    }

    private static boolean isTaken(String name) {
        for (Loop one : running) if (one.name().equals(name)) return true;
        return false;
    }

    static synchronized void unregister(Loop loop) {
        running = Arrays.stream(running).filter(s -> s != loop).toArray(Loop[]::new);
        Handles.runEnds();
    }
}
