package org.trueasync.internal.blackbox;

import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.recorder.TurnRing;

/** A ring that looks at what goes past it. */
final class WatchedRing extends TurnRing {
    private final Loop loop;
    private final Limits limits;

    WatchedRing(long[] cells, Loop loop, Limits limits) {
        super(cells);
        this.loop = loop;
        this.limits = limits;
    }

    Limits limits() {
        return limits;
    }

    @Override
    public void happened(String limit, long nanos, String text) {
        limits.happened(limit, nanos, "runtime '" + loop.name() + "': " + text);
    }

    @Override
    protected void waited(int kind, long id, long nanos) {
        if (nanos >= limits.of("pool") && WaitKind.of(kind).kind() == Kind.POOL)
            happened("pool", nanos, "coroutine #" + id + " has waited for a pool for " + nanos / 1_000_000 + " ms");
    }
}
