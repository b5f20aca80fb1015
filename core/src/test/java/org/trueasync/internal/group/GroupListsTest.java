package org.trueasync.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The lists of a group are made of links; any order of calls does to them what it would do to a plain list. */
class GroupListsTest {
    /** More than there are: links that go in a circle must not fill the memory. */
    private static final int MANY = 1_000;

    private static GroupCore group() {
        return GroupCore.create("test", GroupSettings.of("TaskGroup", null, 0, 0), null, false);
    }

    private static GroupTask task(GroupCore group, long position) {
        return new GroupTask(group, (int) position, false, position, () -> null);
    }

    @Test
    void taskQueue_isAQueueWithOthersTakenOutAndPutBack() {
        TestRuntime.run(() -> {
            var group = group();
            for (int seed = 0; seed < 100; seed++) {
                var random = new Random(seed);
                var queue = new TaskQueue();
                List<GroupTask> model = new ArrayList<>();
                List<GroupTask> out = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    switch (random.nextInt(5)) {
                        case 0, 1 -> {
                            var one = task(group, i);
                            one.sequence = i;
                            queue.add(one);
                            model.add(one);
                        }
                        case 2 -> assertThat(queue.poll()).isSameAs(model.isEmpty() ? null : model.removeFirst());
                        case 3 -> {
                            if (model.isEmpty()) continue;
                            GroupTask one = model.remove(random.nextInt(model.size()));
                            queue.remove(one);
                            out.add(one);
                        }
                        default -> {
                            if (out.isEmpty()) continue;
                            GroupTask one = out.remove(random.nextInt(out.size()));
                            queue.putBack(one);
                            model.add(one);
                            model.sort(Comparator.comparing(t -> t.sequence));
                        }
                    }
                    assertThat(inLine(queue)).isEqualTo(model);
                    assertThat(queue.size()).isEqualTo(model.size());
                    assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
                }
            }
        });
    }

    private static List<GroupTask> inLine(TaskQueue queue) {
        List<GroupTask> all = new ArrayList<>();
        for (GroupTask t = queue.first(); t != null && all.size() < MANY; t = t.nextInQueue) all.add(t);
        return all;
    }

    @Test
    void spawnedTasks_knowHowFarTheyHaveSettled() {
        TestRuntime.run(() -> {
            var group = group();
            for (int seed = 0; seed < 100; seed++) {
                var random = new Random(seed);
                var spawned = new SpawnedTasks();
                List<GroupTask> model = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    switch (random.nextInt(4)) {
                        case 0, 1 -> {
                            var one = task(group, spawned.nextPosition());
                            spawned.add(one);
                            model.add(one);
                        }
                        case 2 -> {
                            List<GroupTask> open =
                                    model.stream().filter(t -> !t.isSettled()).toList();
                            if (open.isEmpty()) continue;
                            open.get(random.nextInt(open.size())).succeeds("");
                            spawned.settled();
                        }
                        default -> {
                            List<GroupTask> settled =
                                    model.stream().filter(GroupTask::isSettled).toList();
                            if (settled.isEmpty()) continue;
                            GroupTask one = settled.get(random.nextInt(settled.size()));
                            spawned.remove(one);
                            model.remove(one);
                        }
                    }
                    assertSame(spawned, model);
                }
            }
        });
    }

    private static void assertSame(SpawnedTasks spawned, List<GroupTask> model) {
        List<GroupTask> all = new ArrayList<>();
        for (GroupTask t = spawned.first(); t != null && all.size() < MANY; t = t.next) all.add(t);
        assertThat(all).isEqualTo(model);
        assertThat(spawned.size()).isEqualTo(model.size());
        @Nullable
        GroupTask open = model.stream().filter(t -> !t.isSettled()).findFirst().orElse(null);
        assertThat(spawned.firstOpen()).isSameAs(open);
        assertThat(spawned.settledUpTo()).isEqualTo(open == null ? spawned.nextPosition() : open.position);
    }

    /** Questions about the first 0, 1, 2, ... tasks, several about each number. */
    private static List<GroupFuture> questions(GroupCore group) {
        List<GroupFuture> all = new ArrayList<>();
        for (int tasks = 0; tasks < 8; tasks++) {
            for (int i = 0; i < 4; i++) all.add(new OutcomeQuery(group, group.queries(), GroupFuture.Kind.ALL));
            group.spawn(null, () -> null);
        }
        return all;
    }

    @Test
    void futureList_isInTheOrderOfTheTasksAndThenOfAsking() {
        TestRuntime.run(() -> {
            for (int seed = 0; seed < 60; seed++) {
                var random = new Random(seed);
                List<GroupFuture> free = questions(group());
                var list = new GroupFutureList();
                List<GroupFuture> model = new ArrayList<>();
                for (int i = 0; i < 120; i++) {
                    long position = random.nextInt(9);
                    switch (random.nextInt(9)) {
                        case 0, 1, 2, 3, 4 -> {
                            if (free.isEmpty()) continue;
                            GroupFuture one = free.remove(random.nextInt(free.size()));
                            list.add(one);
                            model.add(one);
                            model.sort(Comparator.comparing(asked -> asked.before));
                        }
                        case 5, 6 -> {
                            if (model.isEmpty()) continue;
                            GroupFuture one = model.remove(random.nextInt(model.size()));
                            one.leaveList();
                            one.leaveList();
                            free.add(one);
                        }
                        case 7 -> {
                            GroupFuture expected =
                                    model.isEmpty() || model.getFirst().before > position ? null : model.removeFirst();
                            assertThat(list.pollSettled(position)).isSameAs(expected);
                            if (expected != null) free.add(expected);
                        }
                        default -> {
                            List<GroupFuture> about = model.stream()
                                    .filter(asked -> asked.before > position)
                                    .toList();
                            assertThat(list.pollAbout(position)).containsExactlyElementsOf(about);
                            model.removeAll(about);
                            free.addAll(about);
                        }
                    }
                    assertSame(list, model, position);
                }
            }
        });
    }

    private static void assertSame(GroupFutureList list, List<GroupFuture> model, long position) {
        List<GroupFuture> all = new ArrayList<>();
        for (GroupFuture asked = list.first(); asked != null && all.size() < MANY; asked = asked.next) all.add(asked);
        assertThat(all).isEqualTo(model);
        assertThat(list.isEmpty()).isEqualTo(model.isEmpty());
        assertThat(list.firstAbout(position))
                .isSameAs(model.stream()
                        .filter(asked -> asked.before > position)
                        .findFirst()
                        .orElse(null));
    }
}
