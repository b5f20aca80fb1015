package org.trueasync.internal.diagnostics;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trueasync.Coroutine;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Inspection;

/**
 * Scopes and their coroutines as text, indented. What is shown is bounded in every direction, and what is left out is
 * counted. So even a million coroutines give a readable text.
 */
public final class TreeText implements TreeWalk.Sink {
    /**
     * How much is shown.
     *
     * @param scopes so many scopes; the others are counted
     * @param entries so many entries of each scope
     * @param examinedPerScope so many coroutines of each scope are examined, which takes microseconds for each; the
     *     others are counted by state
     * @param examined the same for all scopes together
     */
    public record Limits(int scopes, int entries, int examinedPerScope, int examined) {
        /** For a dump, which holds the loop until it is complete. */
        static final Limits OF_DUMP = new Limits(1_000, 100, 2_000, 20_000);

        /** For who reads in portions. */
        public static final Limits READABLE = new Limits(200, 20, 1_000_000, 1_000_000);

        /** Everything. */
        public static final Limits NONE =
                new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * An entry may stand for several coroutines that are alike. It shows at most so many names besides the first one's.
     */
    private static final int MAX_NAMES = 10;

    private static final int MAX_INDENT = 20;

    private static final class Group {
        final Coroutine<?> first;
        final CoroutineView view;
        final List<String> wakers;
        final List<String> otherNames = new ArrayList<>(0);
        int size;
        long shortest = Long.MAX_VALUE;
        long longest = -1;

        Group(Coroutine<?> first, CoroutineView view, List<String> wakers) {
            this.first = first;
            this.view = view;
            this.wakers = wakers;
        }

        void add(Coroutine<?> coroutine, long nanos) {
            if (size++ > 0 && coroutine.name() != null && otherNames.size() < MAX_NAMES)
                otherNames.add(FailureText.label(coroutine));
            shortest = Math.min(shortest, nanos);
            longest = Math.max(longest, nanos);
        }
    }

    private final StringBuilder text;
    private final Limits limits;
    private final boolean withTimes;
    private int shownScopes;
    private int hiddenScopes;
    private int hiddenCoroutines;
    private int examined;
    // Of the scope that is being visited.
    private boolean isHidden;
    private String indent = "  ";
    private int examinedHere;
    private final Map<CoroutineView, Group> groups = new LinkedHashMap<>();
    private final Map<Inspection.State, Integer> unseen = new EnumMap<>(Inspection.State.class);

    /**
     * A text without scopes so far.
     *
     * @param text to which all is added
     * @param limits how much is shown
     * @param withTimes whether it says for how long each one waits, and who alone can end that
     */
    public TreeText(StringBuilder text, Limits limits, boolean withTimes) {
        this.text = text;
        this.limits = limits;
        this.withTimes = withTimes;
    }

    @Override
    public void scope(CoroutineScope scope, int depth) {
        endScope();
        isHidden = shownScopes == limits.scopes;
        if (isHidden) {
            hiddenScopes++;
            return;
        }
        shownScopes++;
        indent = "  ".repeat(Math.min(depth, MAX_INDENT));
        text.append('\n').append(indent);
        String purpose = Inspection.purposeOf(scope);
        if (purpose != null) text.append(purpose).append(": ");
        text.append(scope);
        indent += "  ";
    }

    @Override
    public void coroutine(Coroutine<?> coroutine) {
        if (isHidden) {
            hiddenCoroutines++;
            return;
        }
        if (examinedHere == limits.examinedPerScope || examined == limits.examined) {
            unseen.merge(Inspection.stateOf(coroutine), 1, Integer::sum);
            return;
        }
        examinedHere++;
        examined++;
        CoroutineView view = CoroutineView.at(coroutine);
        groups.computeIfAbsent(
                        view.withoutNumbers(),
                        v -> new Group(coroutine, view, withTimes ? Wakers.of(coroutine) : List.of()))
                .add(coroutine, withTimes ? Inspection.sinceLastTurn(coroutine) : -1);
    }

    /** Adds what remains to be said after the last step of the walk. */
    public void end() {
        endScope();
        if (hiddenScopes > 0)
            text.append("\n... and ")
                    .append(Texts.count(hiddenScopes, "more scope"))
                    .append(" with ")
                    .append(Texts.count(hiddenCoroutines, "coroutine"));
    }

    private void endScope() {
        int entries = 0;
        int omitted = 0;
        for (Group group : groups.values()) {
            if (entries++ < limits.entries) add(group);
            else omitted += group.size;
        }
        if (omitted > 0)
            text.append('\n')
                    .append(indent)
                    .append("... and ")
                    .append(omitted)
                    .append(" more, in ")
                    .append(groups.size() - limits.entries)
                    .append(" other entries");
        if (!unseen.isEmpty()) addUnseen();
        groups.clear();
        unseen.clear();
        examinedHere = 0;
    }

    private void add(Group group) {
        CoroutineView view = group.view;
        text.append('\n').append(indent).append(FailureText.label(group.first));
        if (group.size > 1) text.append(" and ").append(group.size - 1).append(" more alike");
        if (!group.otherNames.isEmpty()) {
            boolean all = group.otherNames.size() == group.size - 1;
            text.append(" (").append(String.join(", ", group.otherNames)).append(all ? ")" : ", ...)");
        }
        text.append(group.size > 1 ? ", " : " ").append(view.line());
        if (group.longest >= 0) text.append(", ").append(view.since(Texts.span(group.shortest, group.longest)));
        if (!group.wakers.isEmpty())
            text.append(", only ").append(String.join(", ", group.wakers)).append(" can end that");
        for (String frame : view.frames())
            text.append('\n')
                    .append(indent)
                    .append(frame.startsWith("...") ? "    " : "    at ")
                    .append(frame);
    }

    private void addUnseen() {
        int count = 0;
        var parts = new ArrayList<String>();
        for (Map.Entry<Inspection.State, Integer> entry : unseen.entrySet()) {
            count += entry.getValue();
            parts.add(entry.getValue() + " " + entry.getKey().words());
        }
        text.append('\n').append(indent).append("... and ").append(count).append(" more, not looked at: ");
        text.append(String.join(", ", parts));
    }
}
