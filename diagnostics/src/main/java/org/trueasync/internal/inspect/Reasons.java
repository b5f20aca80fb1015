package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.diagnostics.CoroutineView;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.diagnostics.TreeWalk;
import org.trueasync.internal.diagnostics.Wakers;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.inspect.LoopReader.Unanswered;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;

/** Why the process has not ended, in a few sentences. */
final class Reasons implements Answer {
    private static final int MAX_KINDS = 5;
    private static final int MAX_CHAIN = 10;
    private static final int MAX_THREADS = 10;

    @Override
    public void write(Writer out) throws IOException, InterruptedException {
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) out.write(ofThreads() + "\n");
        for (Loop loop : all) out.write(of(loop) + "\n");
    }

    private static String ofThreads() {
        List<String> names = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() && !thread.getName().equals("DestroyJavaVM"))
                .map(Thread::getName)
                .sorted()
                .toList();
        if (names.isEmpty()) return "No runtime is left, and no thread either: the process is ending";
        String more = names.size() > MAX_THREADS ? " and " + (names.size() - MAX_THREADS) + " more" : "";
        return "No runtime is left. The process goes on for "
                + Texts.count(names.size(), "thread") + " that the JVM waits for: "
                + names.stream().limit(MAX_THREADS).collect(Collectors.joining(", ")) + more;
    }

    private static String of(Loop loop) throws IOException, InterruptedException {
        String name = "Runtime '" + loop.name() + "' ";
        try {
            var live = new Live();
            LoopReader.walk(loop, new TreeWalk(loop, live), () -> () -> {});
            var text = new StringBuilder(name).append("goes on");
            if (loop.isShuttingDown()) text.append(", although it is shutting down");
            else if (loop.drain().isActive()) text.append(" until the work under way is done, as it is draining");
            text.append(": ").append(live.count == 0 ? withoutCoroutines(loop) : live.text());
            Coroutine<?> start = live.first;
            if (start != null) text.append(LoopReader.ask(loop, () -> chain(start)));
            Coroutine<?> many = live.ofLargestGroup();
            if (many != null && many != start) text.append(LoopReader.ask(loop, () -> holders(many)));
            return text.toString();
        } catch (Unanswered e) {
            return e.text();
        }
    }

    private static String withoutCoroutines(Loop loop) {
        RuntimeStats stats = new LoopProbe(loop).stats();
        return "no coroutine is left, but " + Texts.count(stats.activeEvents(), "event")
                + " (a timer, a socket, a signal) or an executor that is in use can bring work";
    }

    /** Who waits for whom, from one coroutine on; empty if its wait can be ended by others. Loop thread. */
    private static String chain(Coroutine<?> start) {
        Set<Coroutine<?>> path = new LinkedHashSet<>();
        var text = new StringBuilder();
        boolean isForced = true;
        Coroutine<?> last = start;
        while (path.size() < MAX_CHAIN && path.add(last)) {
            List<Coroutine<?>> next = Wakers.find(last);
            if (next.isEmpty()) break;
            isForced &= next.size() == 1;
            last = next.getFirst();
            text.append(text.isEmpty() ? "\n  " + FailureText.label(start) : ", which")
                    .append(" waits for ")
                    .append(FailureText.label(last));
            if (next.size() > 1)
                text.append(next.size() == 2 ? " or another one" : " or one of " + (next.size() - 1) + " others");
            if (isForced && path.contains(last)) return text + ": they wait for each other";
        }
        return text.toString();
    }

    /** Who waits for whom, from a member of a group on, what the last one does, and who has a pool's resources. */
    private static String holders(Coroutine<?> member) {
        if (member.isCompleted()) return "";
        String chain = chain(member);
        Coroutine<?> last = member;
        Set<Coroutine<?>> path = new LinkedHashSet<>();
        while (path.size() < MAX_CHAIN && path.add(last)) {
            List<Coroutine<?>> next = Wakers.find(last);
            if (!next.isEmpty()) last = next.getFirst();
        }
        var text = new StringBuilder(chain);
        if (last != member) text.append("\n    ").append(state(last));
        Set<Long> ids = new LinkedHashSet<>();
        Inspection.addHolders(last, ids);
        if (ids.isEmpty()) return text.toString();
        List<Coroutine<?>> takers = ((CoroutineImpl<?>) last)
                .loop().liveCoroutines().stream()
                        .filter(coroutine -> ids.contains(coroutine.id()))
                        .<Coroutine<?>>map(coroutine -> coroutine)
                        .toList();
        text.append("\n  what ").append(FailureText.label(last)).append(" waits for was taken by");
        for (Coroutine<?> taker : takers.subList(0, Math.min(takers.size(), MAX_KINDS)))
            text.append("\n    ").append(state(taker));
        int others = ids.size() - Math.min(takers.size(), MAX_KINDS);
        if (others > 0)
            text.append("\n    ")
                    .append(Texts.count(others, takers.isEmpty() ? "coroutine" : "other coroutine"))
                    .append(takers.size() < ids.size() ? ", of which " + (ids.size() - takers.size()) + " ended" : "");
        return text.toString();
    }

    private static String state(Coroutine<?> coroutine) {
        CoroutineView view = CoroutineView.at(coroutine);
        long nanos = Inspection.sinceLastTurn(coroutine);
        return FailureText.label(coroutine) + " " + view.line()
                + (nanos < 0 ? "" : ", " + view.since(Texts.time(nanos)));
    }

    /** The coroutines that have not ended, by what they wait for. */
    private static final class Live implements TreeWalk.Sink {
        private static final class Kind {
            final String label;
            final CoroutineView view;
            int size;
            long longest;
            boolean isMain;
            /** The one that waits longest. */
            @Nullable
            Coroutine<?> oldest;

            Kind(String label, CoroutineView view) {
                this.label = label;
                this.view = view;
            }

            String text() {
                String who = size == 1 ? label : label + " and " + (size - 1) + " more alike";
                String time = longest < 0 ? "" : ", " + view.since((size == 1 ? "" : "up to ") + Texts.time(longest));
                return "\n  " + who + (size == 1 ? " " : ", ") + view.line() + time;
            }
        }

        private final Map<CoroutineView, Kind> kinds = new LinkedHashMap<>();
        int count;
        private boolean hasMain;

        @Nullable
        Coroutine<?> first;

        @Override
        public void scope(CoroutineScope scope, int depth) {
            // the coroutines are what counts
        }

        @Override
        public void coroutine(Coroutine<?> coroutine) {
            count++;
            if (Inspection.isMain(coroutine)) hasMain = true;
            if (first == null || Inspection.isMain(coroutine)) first = coroutine;
            CoroutineView view = CoroutineView.at(coroutine);
            Kind kind =
                    kinds.computeIfAbsent(view.withoutNumbers(), alike -> new Kind(FailureText.label(coroutine), view));
            kind.size++;
            kind.isMain |= coroutine == first && hasMain;
            long nanos = Inspection.sinceLastTurn(coroutine);
            if (kind.oldest == null || nanos > kind.longest) kind.oldest = coroutine;
            kind.longest = Math.max(kind.longest, nanos);
        }

        @Nullable
        Coroutine<?> ofLargestGroup() {
            return kinds.values().stream()
                    .max(Comparator.comparingInt((Kind kind) -> kind.size).thenComparingLong(kind -> kind.longest))
                    .map(kind -> kind.oldest)
                    .orElse(null);
        }

        String text() {
            var text = new StringBuilder(hasMain ? "main has not returned" : "main has returned");
            int others = hasMain ? count - 1 : count;
            if (others > 0)
                text.append(hasMain ? ", and " : ", but ")
                        .append(Texts.count(others, hasMain ? "more coroutine" : "coroutine"))
                        .append(others == 1 ? " has not ended" : " have not ended");
            kinds.values().stream()
                    .sorted(Comparator.comparingInt((Kind kind) -> kind.isMain ? Integer.MAX_VALUE : kind.size)
                            .reversed())
                    .limit(MAX_KINDS)
                    .forEach(kind -> text.append(kind.text()));
            if (kinds.size() > MAX_KINDS)
                text.append("\n  and others, in ").append(Texts.count(kinds.size() - MAX_KINDS, "other place"));
            return text.toString();
        }
    }
}
