package org.trueasync.internal.diagnostics;

import java.util.ArrayDeque;
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
 * Scopes and their coroutines, indented. What is shown is bounded in every direction, and what is left out is counted.
 * So even a million coroutines give a readable text, and the loop is not held for long. There is no recursion, because
 * trees may be deep.
 */
final class TreeText {
    private static final int MAX_SCOPES = 1_000;
    private static final int MAX_ENTRIES_PER_SCOPE = 100;
    /**
     * An entry may stand for several coroutines that are alike. It shows at most so many names besides the first one's.
     */
    private static final int MAX_NAMES = 10;

    private static final int MAX_INDENT = 20;
    /** Examining a coroutine takes microseconds. */
    private static final int MAX_EXAMINED_PER_SCOPE = 2_000;

    private static final int MAX_EXAMINED = 20_000;

    private record Placed(CoroutineScope scope, int depth) {}

    private static final class Group {
        final Coroutine<?> first;
        final CoroutineView view;
        final List<String> otherNames = new ArrayList<>(0);
        int size;

        Group(Coroutine<?> first, CoroutineView view) {
            this.first = first;
            this.view = view;
        }

        void add(Coroutine<?> coroutine) {
            if (size++ > 0 && coroutine.name() != null && otherNames.size() < MAX_NAMES)
                otherNames.add(FailureText.label(coroutine));
        }
    }

    private final StringBuilder text;
    private int examined;

    TreeText(StringBuilder text) {
        this.text = text;
    }

    void add(List<CoroutineScope> roots) {
        var path = new ArrayDeque<Placed>();
        push(path, roots, 0);
        int shown = 0;
        int hidden = 0;
        int coroutines = 0;
        while (!path.isEmpty()) {
            Placed placed = path.pop();
            push(path, Inspection.within(placed.scope), placed.depth + 1);
            if (shown < MAX_SCOPES) {
                shown++;
                add(placed.scope, "  ".repeat(Math.min(placed.depth, MAX_INDENT)));
            } else {
                hidden++;
                coroutines += placed.scope.live();
            }
        }
        if (hidden > 0)
            text.append("\n... and ")
                    .append(Texts.count(hidden, "more scope"))
                    .append(" with ")
                    .append(Texts.count(coroutines, "coroutine"));
    }

    private static void push(ArrayDeque<Placed> path, List<CoroutineScope> scopes, int depth) {
        for (CoroutineScope scope : scopes.reversed()) path.push(new Placed(scope, depth));
    }

    private void add(CoroutineScope scope, String indent) {
        text.append('\n').append(indent);
        String purpose = Inspection.purposeOf(scope);
        if (purpose != null) text.append(purpose).append(": ");
        text.append(scope);
        addCoroutines(scope.coroutines(), indent + "  ");
    }

    private void addCoroutines(List<? extends Coroutine<?>> all, String indent) {
        int examinedHere = Math.min(all.size(), Math.min(MAX_EXAMINED_PER_SCOPE, MAX_EXAMINED - examined));
        examined += examinedHere;
        Map<CoroutineView, Group> groups = new LinkedHashMap<>();
        for (Coroutine<?> coroutine : all.subList(0, examinedHere)) {
            CoroutineView view = CoroutineView.at(coroutine);
            groups.computeIfAbsent(view.withoutNumbers(), v -> new Group(coroutine, view))
                    .add(coroutine);
        }
        int entries = 0;
        int omitted = 0;
        for (Group group : groups.values()) {
            if (entries++ < MAX_ENTRIES_PER_SCOPE) add(group, indent);
            else omitted += group.size;
        }
        if (omitted > 0)
            text.append('\n')
                    .append(indent)
                    .append("... and ")
                    .append(omitted)
                    .append(" more, in ")
                    .append(groups.size() - MAX_ENTRIES_PER_SCOPE)
                    .append(" other entries");
        if (examinedHere < all.size()) addUnseen(all.subList(examinedHere, all.size()), indent);
    }

    private void add(Group group, String indent) {
        CoroutineView view = group.view;
        text.append('\n').append(indent).append(FailureText.label(group.first));
        if (group.size > 1) text.append(" and ").append(group.size - 1).append(" more alike");
        if (!group.otherNames.isEmpty()) {
            boolean all = group.otherNames.size() == group.size - 1;
            text.append(" (").append(String.join(", ", group.otherNames)).append(all ? ")" : ", ...)");
        }
        text.append(group.size > 1 ? ", " : " ").append(view.what());
        if (!view.awaits().isEmpty()) text.append(", awaits ").append(String.join("; ", view.awaits()));
        for (String frame : view.frames())
            text.append('\n')
                    .append(indent)
                    .append(frame.startsWith("...") ? "    " : "    at ")
                    .append(frame);
    }

    private void addUnseen(List<? extends Coroutine<?>> unseen, String indent) {
        Map<Inspection.State, Integer> counts = new EnumMap<>(Inspection.State.class);
        for (Coroutine<?> coroutine : unseen) counts.merge(Inspection.stateOf(coroutine), 1, Integer::sum);
        var parts = new ArrayList<String>();
        counts.forEach((state, count) -> parts.add(count + " " + state.words()));
        text.append('\n')
                .append(indent)
                .append("... and ")
                .append(unseen.size())
                .append(" more, not looked at: ");
        text.append(String.join(", ", parts));
    }
}
