package org.trueasync.internal.blackbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.diagnostics.Ledger.Part;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.recorder.Account;

/**
 * What one coroutine spends its time on. Each change closes a stretch of time and begins the next one with the same
 * look at the clock, so that nothing is counted twice and nothing is left out.
 *
 * <pre>
 *  RUNNING -> WAITING   it suspends, or JDK code parks it
 *  RUNNING -> QUEUED    it gives way
 *  WAITING -> QUEUED    it is woken
 *  QUEUED  -> RUNNING   its turn begins
 * </pre>
 */
public final class TimeAccount implements Account {
    private enum State {
        RUNNING,
        WAITING,
        QUEUED
    }

    /** Only a stretch of this length has a text of its own, as texts are dear, and may have a pause in it. */
    private static final long LONG = 1_000_000;

    private static final int MAX_PARTS = 100;

    private final Loop loop;
    private final boolean seesPauses;
    private final long begin;
    private final Map<Part, long[]> sums = new LinkedHashMap<>();
    private State state = State.RUNNING;
    private long since;
    private long paused;
    /** Who alone can end the present wait, if that is known. */
    private @Nullable String by;

    /** It is parked for a lock of the JDK. */
    private boolean isLock;

    /** Opens the account of the running coroutine. */
    public TimeAccount(CoroutineImpl<?> coroutine) {
        loop = coroutine.loop();
        seesPauses = !loop.reactor().isTimeVirtual();
        if (seesPauses) JvmPauses.begin();
        paused = seesPauses ? JvmPauses.total() : -1;
        begin = since = loop.reactor().nanoTime();
    }

    @Override
    public void runs() {
        if (state != State.QUEUED) return;
        long now = loop.reactor().nanoTime();
        close(now, Kind.QUEUE, now - since >= LONG ? BlackBox.whoRan(loop, since) : "");
        state = State.RUNNING;
    }

    @Override
    public void suspends(boolean ready, @Nullable String needs) {
        close(loop.reactor().nanoTime(), Kind.RUNNING, "");
        state = ready ? State.QUEUED : State.WAITING;
        by = needs;
        isLock = false;
    }

    @Override
    public void parked(@Nullable String holder) {
        if (state != State.RUNNING) return; // a lock that its own tick has met counts as part of the wait
        suspends(false, holder);
        isLock = holder != null;
    }

    @Override
    public void woken(int kind, Supplier<String> text) {
        if (state != State.WAITING) return;
        long now = loop.reactor().nanoTime();
        Kind spentOn = isLock ? Kind.LOCK : WaitKind.of(kind).kind();
        String what = "";
        if (by != null) what = spentOn == Kind.LOCK ? "held by " + by : by;
        else if (now - since >= LONG) what = text(text);
        close(now, spentOn, what);
        state = State.QUEUED;
    }

    private static String text(Supplier<String> text) {
        try {
            return Texts.line(text.get());
        } catch (RuntimeException e) {
            return "";
        }
    }

    private void close(long now, Kind kind, String what) {
        long length = now - since;
        since = now;
        if (seesPauses && length >= LONG) {
            long total = JvmPauses.total();
            // known at both ends: the beans may have been loaded meanwhile
            long pause = paused < 0 || total < 0 ? 0 : Math.min(length, total - paused);
            paused = total;
            if (pause > 0) add(Kind.GC, "", pause);
            length -= pause;
        }
        add(kind, what, length);
    }

    private void add(Kind kind, String what, long nanos) {
        var key = new Part(kind, sums.size() < MAX_PARTS ? what : "", Duration.ZERO, 0);
        long[] sum = sums.computeIfAbsent(key, k -> new long[2]);
        sum[0] += nanos;
        sum[1]++;
    }

    /** The time since it was opened, in nanoseconds. */
    public long total() {
        return loop.reactor().nanoTime() - begin;
    }

    /** The time that its {@link #parts} add up to, as they were last asked for. */
    public long accounted() {
        return since - begin;
    }

    /** The parts so far, longest first. In the coroutine, or once it is closed. */
    public List<Part> parts() {
        if (state == State.RUNNING) close(loop.reactor().nanoTime(), Kind.RUNNING, "");
        var parts = new ArrayList<Part>();
        sums.forEach((key, sum) ->
                parts.add(new Part(key.kind(), key.what(), Duration.ofNanos(sum[0]), (int) Math.min(sum[1], 1 << 30))));
        parts.sort(Comparator.comparing(Part::time).reversed());
        return parts;
    }
}
