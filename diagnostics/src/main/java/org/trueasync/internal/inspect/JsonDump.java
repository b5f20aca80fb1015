package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.diagnostics.CoroutineView;
import org.trueasync.internal.diagnostics.TreeWalk;
import org.trueasync.internal.diagnostics.Wakers;
import org.trueasync.internal.inspect.LoopReader.Unanswered;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.internal.watchdog.Hold;
import org.trueasync.internal.watchdog.Watchdog;

/**
 * This process as JSON. docs/guide/running-process.md describes its form, which only grows.
 *
 * @param all whether with the tree and all holds that are kept; else nothing needs a loop, and only what holds one now
 *     or has just held it is told
 */
record JsonDump(boolean all) implements Answer {
    private static final int FORMAT = 1;
    private static final Duration JUST = Duration.ofSeconds(3);
    private static final long NANOS_PER_MILLI = 1_000_000;

    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        var json = new JsonWriter(out);
        json.beginObject();
        json.name("format").value("trueasync-dump");
        json.name("version").value(FORMAT);
        json.name("pid").value(ProcessHandle.current().pid());
        json.name("command").value(ThisProcess.command());
        json.name("jdk").value(Runtime.version().toString());
        json.name("time").value(time(Instant.now()));
        json.name("runtimes").beginArray();
        for (Loop loop : Runtimes.all()) add(json.newLine(), loop);
        json.endArray().endObject();
        out.write('\n');
    }

    private void add(JsonWriter json, Loop loop) throws IOException, InterruptedException {
        json.beginObject().name("name").value(loop.name());
        json.name("state").value(LoopState.of(List.of(loop)));
        json.newLine().name("stats");
        add(json, new LoopProbe(loop).stats());
        json.newLine().name("heldLoops").beginArray();
        Instant since = all ? Instant.MIN : Instant.now().minus(JUST);
        for (Hold hold : Watchdog.holdsOf(loop))
            if (hold.begin().plus(hold.soFar()).isAfter(since)) add(json.newLine(), hold);
        json.endArray();
        if (all) addTree(json, loop);
        json.newLine().endObject();
    }

    private static void addTree(JsonWriter json, Loop loop) throws IOException, InterruptedException {
        String failure = null;
        Long nextTimer = null;
        json.newLine().name("scopes").beginArray();
        var tree = new Portion(json);
        try {
            nextTimer = LoopReader.ask(loop, () -> untilNextTimer(loop));
            LoopReader.walk(loop, new TreeWalk(loop, tree), tree::take);
        } catch (Unanswered e) {
            failure = e.text();
        }
        tree.end();
        json.endArray();
        json.newLine().name("nextTimerMillis");
        if (nextTimer == null || nextTimer < 0) json.value((String) null);
        else json.value((long) nextTimer);
        json.newLine().name("unread").value(failure);
    }

    /** -1 if there is none. */
    private static long untilNextTimer(Loop loop) {
        long nanos = loop.timers().nextDeadline() - loop.reactor().nanoTime();
        return loop.timers().isEmpty() || nanos > TimerHeap.LONGEST / 2 ? -1 : Math.max(0, nanos) / NANOS_PER_MILLI;
    }

    private static void add(JsonWriter json, RuntimeStats stats) throws IOException {
        json.beginObject();
        json.name("coroutines").value(stats.coroutines());
        json.name("notBegun").value(stats.notBegun());
        json.name("running").value(stats.running());
        json.name("suspended").value(stats.suspended());
        json.name("queued").value(stats.queued());
        json.name("blocked").value(stats.blocked());
        json.name("activeEvents").value(stats.activeEvents());
        json.name("timers").value(stats.timers());
        json.name("reactorHandles").value(stats.reactorHandles());
        json.name("idleContexts").value(stats.idleContexts());
        json.name("spawned").value(stats.spawned());
        json.name("contextsCreated").value(stats.contextsCreated());
        json.name("directSwitches").value(stats.directSwitches());
        json.name("schedulerSwitches").value(stats.schedulerSwitches());
        json.name("contextReuses").value(stats.contextReuses());
        json.name("reactorTurns").value(stats.reactorTurns());
        json.name("utilisation").value(stats.utilisation());
        json.name("lagMillis").value(stats.lagMillis());
        json.name("heldMillis").value(stats.heldMillis());
        json.name("holds").value(stats.holds());
        json.endObject();
    }

    private static void add(JsonWriter json, Hold hold) throws IOException {
        json.beginObject();
        json.name("time").value(time(hold.begin()));
        json.name("millis").value(hold.soFar().toMillis());
        json.name("holder").value(hold.holder());
        json.name("stack")
                .values(hold.stack().stream().map(StackTraceElement::toString).toList());
        json.endObject();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** What one portion of a walk has brought; written on another thread, so that the loop is not held for it. */
    private static final class Portion implements TreeWalk.Sink {
        private record SeenScope(
                long id,
                @Nullable Long parent,
                @Nullable String name,
                @Nullable String purpose,
                String text,
                int depth) {}

        private record SeenCoroutine(
                long id,
                @Nullable String name,
                boolean isMain,
                String state,
                String spawned,
                long sinceNanos,
                boolean isCancelled,
                boolean isZombie,
                List<Long> wakers,
                CoroutineView view) {}

        private final JsonWriter json;
        private List<Record> seen = new ArrayList<>();
        private final Map<Integer, Long> path = new HashMap<>();
        private long scopes;
        private boolean inScope;

        Portion(JsonWriter json) {
            this.json = json;
        }

        @Override
        public void scope(CoroutineScope scope, int depth) {
            long id = scopes++;
            path.put(depth, id);
            Long parent = depth == 0 ? null : path.get(depth - 1);
            seen.add(new SeenScope(id, parent, scope.name(), Inspection.purposeOf(scope), scope.toString(), depth));
        }

        @Override
        public void coroutine(Coroutine<?> coroutine) {
            seen.add(new SeenCoroutine(
                    coroutine.id(),
                    coroutine.name(),
                    Inspection.isMain(coroutine),
                    Inspection.stateOf(coroutine).words(),
                    coroutine.spawnLocation(),
                    Inspection.sinceLastTurn(coroutine),
                    coroutine.isCancellationRequested(),
                    Inspection.isZombie(coroutine),
                    Wakers.find(coroutine).stream().map(Coroutine::id).toList(),
                    CoroutineView.at(coroutine)));
        }

        LoopReader.Taken take() {
            List<Record> taken = seen;
            seen = new ArrayList<>();
            return () -> write(taken);
        }

        private void write(List<Record> taken) throws IOException {
            for (Record one : taken) {
                if (one instanceof SeenScope scope) add(scope);
                else add((SeenCoroutine) one);
            }
        }

        private void add(SeenScope scope) throws IOException {
            end();
            json.newLine().beginObject();
            json.name("id").value(scope.id);
            json.name("parent");
            if (scope.parent == null) json.value((String) null);
            else json.value((long) scope.parent);
            json.name("name").value(scope.name);
            json.name("purpose").value(scope.purpose);
            json.name("text").value(scope.text);
            json.name("coroutines").beginArray();
            inScope = true;
        }

        /** Ends the last scope. */
        void end() throws IOException {
            if (inScope) json.endArray().endObject();
            inScope = false;
        }

        private void add(SeenCoroutine coroutine) throws IOException {
            json.newLine().beginObject();
            json.name("id").value(coroutine.id);
            json.name("name").value(coroutine.name);
            json.name("main").value(coroutine.isMain);
            json.name("state").value(coroutine.state);
            json.name("spawned").value(coroutine.spawned);
            json.name("suspended").value(coroutine.view.suspended());
            json.name("sinceMillis");
            if (coroutine.sinceNanos < 0) json.value((String) null);
            else json.value(coroutine.sinceNanos / NANOS_PER_MILLI);
            json.name("cancelled").value(coroutine.isCancelled);
            json.name("zombie").value(coroutine.isZombie);
            json.name("awaits").values(coroutine.view.awaits());
            json.name("onlyEndedBy").beginArray();
            for (long id : coroutine.wakers) json.value(id);
            json.endArray();
            json.name("frames").values(coroutine.view.frames());
            json.endObject();
        }
    }
}
