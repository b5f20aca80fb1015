package org.trueasync.internal.inspect;

import java.util.List;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;

/** What loops do, in a word. Does not need them for it. */
final class LoopState {
    private static final int LOOKS = 10;
    private static final long BETWEEN_MILLIS = 10;

    private LoopState() {}

    /**
     * The word for a process: what the loop does that is worst off.
     *
     * @param loops of its runtimes
     */
    static String of(List<Loop> loops) throws InterruptedException {
        if (loops.isEmpty()) return "ended";
        if (anyHeld(loops)) return "held";
        if (loops.stream().anyMatch(Loop::isShuttingDown)) return "ending";
        if (loops.stream().anyMatch(loop -> loop.drain().isActive())) return "draining";
        boolean waits = loops.stream().allMatch(loop -> new LoopProbe(loop).isWaiting());
        return waits ? "waiting" : "busy";
    }

    /** True if a loop has stood for a tenth of a second in the same piece of code. */
    private static boolean anyHeld(List<Loop> loops) throws InterruptedException {
        List<LoopProbe> probes = loops.stream().map(LoopProbe::new).toList();
        long[] progress = probes.stream().mapToLong(LoopProbe::progress).toArray();
        boolean[] moves = new boolean[progress.length];
        for (int look = 0; look < LOOKS; look++) {
            boolean allMove = true;
            for (int i = 0; i < progress.length; i++) {
                moves[i] |= probes.get(i).isWaiting() || probes.get(i).progress() != progress[i];
                allMove &= moves[i];
            }
            if (allMove) return false;
            Thread.sleep(BETWEEN_MILLIS);
        }
        return true;
    }
}
