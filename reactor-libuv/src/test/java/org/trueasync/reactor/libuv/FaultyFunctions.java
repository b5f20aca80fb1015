package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Takes the place of all native functions of the reactor: notes who calls them, and lets one call fail. */
final class FaultyFunctions {
    /** Frames of the reactor that tell one call site from another. */
    private static final int FRAMES = 6;

    private static final String PACKAGE = FaultyFunctions.class.getPackageName() + ".";
    private static final StackWalker STACK = StackWalker.getInstance();

    /** Methods that lead to several calls, or whose line depends on the moment. */
    private static final Set<String> NO_PLACES = Set.of("call", "run", "turn");

    /** Not part of the reactor's own path to a call. */
    private static final Set<String> NOT_COUNTED = Set.of("FaultyFunctions", "FaultyFunctions$Function", "Functions", "NativeScenarios", "NativeFaultRun");

    /** A place that calls a function, and the path to it inside the reactor; an empty path stands for any. */
    record Site(String function, String path) {
        private boolean isMetBy(Site call) {
            return equals(call) || (path.isEmpty() && function.equals(call.function));
        }

        @Override
        public String toString() {
            return function + " in " + path;
        }
    }

    /** A call that fails: the first one at a site. */
    record Fault(Site site, Manual.Error error) {
        @Override
        public String toString() {
            return error.name() + " of " + site;
        }
    }

    private static final Set<String> MADE = new TreeSet<>();
    private static final Set<Site> SEEN = new LinkedHashSet<>();
    private static final Deque<Fault> DUE = new ArrayDeque<>();

    /**
     * Guards the three above. Not a monitor: for that, a coroutine would wait with the loop's thread free, which then
     * would wait for the monitor behind the coroutine.
     */
    private static final AtomicBoolean LOCKED = new AtomicBoolean();

    private FaultyFunctions() {}

    private static <T> T locked(Supplier<T> action) {
        while (!LOCKED.compareAndSet(false, true)) Thread.onSpinWait();
        try {
            return action.get();
        } finally {
            LOCKED.set(false);
        }
    }

    /** Must be called before any function is made. */
    static void install() {
        Functions.replacement = FaultyFunctions::made;
    }

    private static MethodHandle made(String name, MethodHandle handle) {
        locked(() -> MADE.add(name));
        try {
            return MethodHandles.lookup().bind(new Function(name, handle), "call", handle.type());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Names of all functions that were made until now. */
    static Set<String> made() {
        return locked(() -> new TreeSet<>(MADE));
    }

    /** Sites seen since the last call of this method. */
    static List<Site> seen() {
        return locked(() -> {
            List<Site> all = List.copyOf(SEEN);
            SEEN.clear();
            return all;
        });
    }

    /** Lets these calls fail, in this order; sites are noted when all have. */
    static void next(List<Fault> faults) {
        locked(() -> {
            SEEN.clear();
            DUE.clear();
            return DUE.addAll(faults);
        });
    }

    /** True if all faults have been met. Those that were not do not happen any more. */
    static boolean over() {
        return locked(() -> {
            boolean all = DUE.isEmpty();
            DUE.clear();
            return all;
        });
    }

    static boolean isMet() {
        return locked(DUE::isEmpty);
    }

    /** The error of the call that is about to be made; null for none. */
    private static Manual.Error errorOf(String function) {
        boolean other = locked(() -> !DUE.isEmpty() && !DUE.peek().site.function.equals(function));
        if (other) return null;
        Site site = site(function);
        return locked(() -> {
            Fault first = DUE.peek();
            if (first == null) SEEN.add(site);
            return first == null || !first.site.isMetBy(site) ? null : DUE.remove().error;
        });
    }

    private static Site site(String function) {
        Predicate<StackWalker.StackFrame> counted = frame -> frame.getClassName().startsWith(PACKAGE)
                && !NOT_COUNTED.contains(frame.getClassName().substring(PACKAGE.length()))
                && !NO_PLACES.contains(frame.getMethodName());
        String path = STACK.walk(frames -> frames.filter(counted)
                .limit(FRAMES)
                .map(frame -> frame.getClassName().substring(PACKAGE.length()) + "." + frame.getMethodName() + ":"
                        + frame.getLineNumber())
                .collect(Collectors.joining(" < ")));
        return new Site(function, path);
    }

    /** One function; its methods have the types of the handles that they stand for. */
    private record Function(String name, MethodHandle handle) {
        long call(long a, long b, long c, long d, long e, long f) throws Throwable {
            Manual.Error error = errorOf(name);
            if (error == null) return (long) handle.invokeExact(a, b, c, d, e, f);
            if (error.isMade()) {
                long _ = (long) handle.invokeExact(a, b, c, d, e, f);
            }
            return Manual.of(name).result(error);
        }

        long call(MemorySegment errno, long a, long b, long c, long d, long e, long f) throws Throwable {
            Manual.Error error = errorOf(name);
            if (error == null) return (long) handle.invokeExact(errno, a, b, c, d, e, f);
            if (error.isMade()) {
                long _ = (long) handle.invokeExact(errno, a, b, c, d, e, f);
            }
            errno.set(ValueLayout.JAVA_INT, 0, error.number());
            return -1;
        }

        int call(MemorySegment errno, int a, int b, int c) throws Throwable {
            Manual.Error error = errorOf(name);
            if (error == null) return (int) handle.invokeExact(errno, a, b, c);
            errno.set(ValueLayout.JAVA_INT, 0, error.number());
            return -1;
        }
    }
}
