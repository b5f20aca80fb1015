package org.trueasync.internal.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** The walk while the program goes on between its steps. */
class TreeWalkTest {
    private static final class Seen implements TreeWalk.Sink {
        final List<String> scopes = new ArrayList<>();
        final List<Coroutine<?>> coroutines = new ArrayList<>();

        @Override
        public void scope(CoroutineScope scope, int depth) {
            scopes.add(depth + " " + scope.name());
        }

        @Override
        public void coroutine(Coroutine<?> coroutine) {
            coroutines.add(coroutine);
        }
    }

    private static TreeWalk walk(Seen seen) {
        return new TreeWalk(Runtimes.here("test"), seen);
    }

    private static void finish(TreeWalk walk) {
        while (walk.step()) {
            // the sink does all
        }
    }

    private static List<Coroutine<?>> sleepers(Scope scope, int count) {
        var all = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < count; i++) all.add(scope.spawn(() -> delay(1_000)));
        return all;
    }

    @Test
    void restingTree_isVisitedFromTheTopDown() {
        TestRuntime.run(() -> {
            var outer = new Scope("outer");
            var inner = Scope.inherit(outer);
            List<Coroutine<?>> first = sleepers(outer, 3);
            List<Coroutine<?>> second = sleepers(inner, 2);
            var seen = new Seen();
            finish(walk(seen));
            assertThat(seen.scopes).containsExactly("0 null", "0 outer", "1 null");
            assertThat(seen.coroutines.subList(1, 4)).containsExactlyElementsOf(first);
            assertThat(seen.coroutines.subList(4, 6)).containsExactlyElementsOf(second);
            outer.dispose();
        });
    }

    @Test
    void coroutinesThatEndBetweenSteps_hideNoOther() {
        for (int steps = 1; steps <= 12; steps++) endsAfter(steps);
    }

    /** Every second one ends after so many steps, and three new ones come. */
    private static void endsAfter(int steps) {
        TestRuntime.run(() -> {
            var scope = new Scope("all");
            List<Coroutine<?>> before = sleepers(scope, 10);
            suspend();
            var seen = new Seen();
            TreeWalk walk = walk(seen);
            for (int i = 0; i < steps; i++) walk.step();
            for (int i = 0; i < 10; i += 2) before.get(i).cancel();
            suspend();
            List<Coroutine<?>> added = sleepers(scope, 3);
            finish(walk);
            assertThat(seen.coroutines).doesNotHaveDuplicates();
            for (int i = 1; i < 10; i += 2) assertThat(seen.coroutines).contains(before.get(i));
            assertThat(seen.coroutines).containsAll(added);
            scope.dispose();
        });
    }

    @Test
    void scopesThatCloseBetweenSteps_hideNoOther() {
        for (int steps = 1; steps <= 14; steps++) closesAfter(steps);
    }

    private static void closesAfter(int steps) {
        TestRuntime.run(() -> {
            var scopes = new ArrayList<Scope>();
            for (int i = 0; i < 6; i++) scopes.add(new Scope("s" + i));
            for (Scope scope : scopes) sleepers(scope, 1);
            suspend();
            var seen = new Seen();
            TreeWalk walk = walk(seen);
            for (int i = 0; i < steps; i++) walk.step();
            for (int i = 0; i < 6; i += 2) scopes.get(i).dispose();
            suspend();
            finish(walk);
            assertThat(seen.scopes).doesNotHaveDuplicates().contains("0 s1", "0 s3", "0 s5");
            for (Scope scope : scopes) scope.dispose();
        });
    }
}
