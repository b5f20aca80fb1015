package org.trueasync.internal.run;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Runtimes as text: by an observer, or else their counts alone. Any thread. */
public final class RuntimeDump {
    private RuntimeDump() {}

    /**
     * A dump of the runtime that the calling thread belongs to; of all runtimes in the process if it belongs to none.
     */
    public static String here() {
        Loop here = Runtimes.hereOrNull();
        List<Loop> all = here == null ? Runtimes.all() : List.of(here);
        return all.isEmpty() ? "No runtime in this process" : describe(all);
    }

    /**
     * A dump of one runtime.
     *
     * @param name its name
     * @param loop null if it does not run
     */
    public static String of(String name, @Nullable Loop loop) {
        return loop == null ? notRunning(name) : describe(List.of(loop));
    }

    /** The text for a runtime that does not run. */
    public static String notRunning(String name) {
        return "Runtime '" + name + "' does not run";
    }

    private static String describe(List<Loop> loops) {
        return Observers.ALL.stream()
                .map(observer -> observer.describe(loops))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> loops.stream().map(RuntimeDump::counts).collect(Collectors.joining("\n\n")));
    }

    private static String counts(Loop loop) {
        return "Runtime '" + loop.name() + "': " + LoopStats.of(loop)
                + "\n(add trueasync-diagnostics to see its coroutines)";
    }
}
