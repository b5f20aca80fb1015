package org.trueasync.faults;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notes who calls the system, and lets single calls fail. */
public final class CallFaults {
    /** Frames of the reactor that tell one call site from another. */
    private static final int FRAMES = 6;

    private static final StackWalker STACK = StackWalker.getInstance();

    /** Methods that lead to several calls, or whose line depends on the moment. */
    private static final Set<String> NO_PLACES = Set.of("call", "run", "turn");

    /** Beginnings of the names of the classes that make up the path to a call. */
    private static volatile List<String> counted = List.of();

    /** Names of classes that are not part of it all the same. */
    private static volatile Set<String> notCounted = Set.of();

    /**
     * An error.
     *
     * @param name as in errno(3)
     * @param number the system's
     * @param isMade whether the call is made before it fails, as with close(2), which always closes
     */
    public record Error(String name, int number, boolean isMade) {}

    /** A place that calls a function, and the path to it inside the reactor; an empty path stands for any. */
    public record Site(String function, String path) {
        boolean isMetBy(Site call) {
            return equals(call) || (path.isEmpty() && function.equals(call.function));
        }

        @Override
        public String toString() {
            return function + " in " + path;
        }
    }

    /** A call that fails: the first one at a site. */
    public record Fault(Site site, Error error) {
        @Override
        public String toString() {
            return error.name() + " of " + site;
        }
    }

    private static final Set<Site> SEEN = new LinkedHashSet<>();
    private static final Deque<Fault> DUE = new ArrayDeque<>();

    /**
     * Guards the two above. Not a monitor: for that, a coroutine would wait with the loop's thread free, which then
     * would wait for the monitor behind the coroutine.
     */
    private static final AtomicBoolean LOCKED = new AtomicBoolean();

    private CallFaults() {}

    private static <T> T locked(Supplier<T> action) {
        while (!LOCKED.compareAndSet(false, true)) Thread.onSpinWait();
        try {
            return action.get();
        } finally {
            LOCKED.set(false);
        }
    }

    /** Sites seen since the last call of this method. */
    public static List<Site> seen() {
        return locked(() -> {
            List<Site> all = List.copyOf(SEEN);
            SEEN.clear();
            return all;
        });
    }

    /** Lets these calls fail, in this order; sites are noted when all have. */
    public static void next(List<Fault> faults) {
        locked(() -> {
            SEEN.clear();
            DUE.clear();
            return DUE.addAll(faults);
        });
    }

    /** True if all faults have been met. Those that were not do not happen any more. */
    public static boolean over() {
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
    public static @Nullable Error errorOf(String function) {
        boolean other = locked(() -> !DUE.isEmpty() && !DUE.peek().site.function.equals(function));
        if (other) return null;
        Site site = site(function);
        return locked(() -> {
            Fault first = DUE.peek();
            if (first == null) SEEN.add(site);
            return first == null || !first.site.isMetBy(site) ? null : DUE.remove().error;
        });
    }

    /**
     * Says which classes are part of the path to a call.
     *
     * @param beginnings of their names
     * @param others classes that are not
     */
    public static void countClassesOf(List<String> beginnings, Class<?>... others) {
        counted = beginnings;
        notCounted = Arrays.stream(others).map(Class::getName).collect(Collectors.toSet());
    }

    private static boolean isCounted(StackWalker.StackFrame frame) {
        String type = frame.getClassName();
        return counted.stream().anyMatch(type::startsWith)
                && !notCounted.contains(type)
                && !NO_PLACES.contains(frame.getMethodName());
    }

    private static Site site(String function) {
        String path = STACK.walk(frames -> frames.filter(CallFaults::isCounted)
                .limit(FRAMES)
                .map(frame -> frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName() + ":"
                        + frame.getLineNumber())
                .collect(Collectors.joining(" < ")));
        return new Site(function, path);
    }
}
