package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.recorder.Account;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * Tells a {@link Trace} what the coroutines of a run do: a line for each turn, which says what the coroutine had waited
 * for and who has woken it, and one for its end. What is told changes nothing of the run: it reads no clock and takes
 * no turn. Loop thread.
 */
public final class TurnTrace {
    /** The number of the loop's own coroutine. */
    private static final int SERVICE = 0;

    /** What a coroutine has waited for is cut to this, and other texts to twice as much. */
    private static final int WIDEST = 80;

    /** What the text of a wait has about coroutines and events that other lines say. */
    private static final Pattern SAID = Pattern.compile(" spawned \\S+:\\d+|, (?:pending|suspended(?: \\S+:\\d+)?)");

    /** With more coroutines than this, new ones and ends are looked for now and then only. */
    private static final int MANY = 256;

    private final VirtualReactor reactor;
    private final Trace trace;
    private final Map<Long, Told> living = new LinkedHashMap<>();
    private long newest;
    private int looks;

    /**
     * The turns of one run.
     *
     * @param reactor of the run
     * @param trace gets the lines
     */
    public TurnTrace(VirtualReactor reactor, Trace trace) {
        this.reactor = reactor;
        this.trace = trace;
    }

    /** Looks who is new and who has ended. In a coroutine, or in a microtask after each turn. */
    public void look() {
        Loop loop = Runtimes.hereOrNull();
        if (loop == null) return;
        CoroutineImpl<?> running = loop.running();
        Told runs = running == null ? null : living.get(running.id());
        if (runs != null) runs.isSeen();
        if (++looks <= living.size() / MANY) return;
        looks = 0;
        for (Told one : List.copyOf(living.values())) if (one.coroutine.isCompleted()) one.ends();
        List<CoroutineImpl<?>> fresh = new ArrayList<>(loop.liveCoroutines());
        fresh.removeIf(one -> one.id() <= newest);
        fresh.sort(Comparator.comparingLong(CoroutineImpl::id));
        for (CoroutineImpl<?> one : fresh) {
            newest = one.id();
            var told = new Told(one, running == null || running == one ? "" : running.label());
            living.put(one.id(), told);
            one.account(told);
            if (running == one) told.isSeen();
        }
    }

    private void add(CoroutineImpl<?> coroutine, String text, String place) {
        trace.add(reactor.now(), coroutine.label(), shortened(text, 2 * WIDEST), "", -1, place);
    }

    private static String shortened(String text, int length) {
        String plain = Names.plain(text);
        return plain.length() <= length ? plain : plain.substring(0, length - 3) + "...";
    }

    /** Who wakes somebody now, for people. */
    private String waker() {
        Loop loop = Runtimes.hereOrNull();
        CoroutineImpl<?> running = loop == null ? null : loop.running();
        if (running != null && running.id() != SERVICE) return running.label();
        if (reactor.isInTurn()) return "the world outside";
        return reactor.isAlarmDue() ? "a timer" : "the loop";
    }

    /** What is told of one coroutine. */
    private final class Told implements Account {
        final CoroutineImpl<?> coroutine;
        /** Empty for the first one, and for those that nobody has spawned. */
        private final String spawner;

        private boolean begun;
        private boolean cancelled;
        private String waited = "goes on";
        private String by = "";
        private String place = "";

        Told(CoroutineImpl<?> coroutine, String spawner) {
            this.coroutine = coroutine;
            this.spawner = spawner;
        }

        /** It runs, or has run: its first turn is told no later than what it does. */
        void isSeen() {
            if (begun) return;
            begun = true;
            cancelled = coroutine.isCancellationRequested();
            if (spawner.isEmpty()) {
                add(coroutine, "begins", "");
                return;
            }
            String site = coroutine.spawnLocation();
            add(coroutine, "begins; spawned by " + spawner, site.equals(CodeSites.UNKNOWN) ? "" : site);
        }

        @Override
        public void runs() {
            if (!begun) {
                isSeen();
                return;
            }
            boolean asked = coroutine.isCancellationRequested();
            String why = asked && !cancelled ? "; its cancellation was asked for" : "";
            cancelled = asked;
            add(coroutine, waited + (by.isEmpty() ? "" : "; woken by " + by) + why, place);
        }

        @Override
        public void suspends(boolean ready, @Nullable String needs) {
            look();
            String what =
                    SAID.matcher(String.join(", or ", coroutine.awaitingInfo())).replaceAll("");
            waited = ready ? "gave way" : shortened("waited for " + what, WIDEST);
            by = "";
            place = trace.place();
        }

        @Override
        public void parked(@Nullable String holder) {
            look();
            waited = "waited in JDK code" + (holder == null ? "" : " for " + holder);
            by = "";
            place = "";
        }

        @Override
        public void woken(int kind, Supplier<String> text) {
            look();
            if (by.isEmpty()) by = waker();
        }

        void ends() {
            living.remove(coroutine.id());
            if (coroutine.isStarted()) isSeen();
            var how = new Outcome();
            ((Event) coroutine).replay(how);
            if (how.error == null) add(coroutine, "ends", "");
            else if (!coroutine.isStarted()) add(coroutine, "is cancelled before it has begun", "");
            else if (coroutine.isCancelled()) add(coroutine, "ends, cancelled", trace.place(how.error));
            else add(coroutine, "ends with " + how.error, trace.place(how.error));
        }
    }

    /** Takes an outcome without having observed it. */
    private static final class Outcome extends EventCallback {
        @Nullable
        Throwable error;

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
            error = thrown;
        }
    }
}
