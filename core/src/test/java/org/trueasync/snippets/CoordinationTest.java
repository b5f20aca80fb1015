package org.trueasync.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Channel;
import org.trueasync.Cores;
import org.trueasync.FutureState;
import org.trueasync.PerCore;
import org.trueasync.Pool;
import org.trueasync.Scope;
import org.trueasync.Select;
import org.trueasync.TaskGroup;
import org.trueasync.TaskResult;
import org.trueasync.TaskSet;
import org.trueasync.internal.testkit.TestRuntime;

/** The examples in the javadoc of {@link org.trueasync}, which holds copies of these regions, run as tests. */
class CoordinationTest {
    private final List<String> done = new ArrayList<>();
    private final List<String> urls = List.of("one", "two", "three", "four");

    @Test
    void pool_lendsAndClosesItsConnection() {
        String host = "db";
        TestRuntime.run(() -> {
            // @start region="pool" :
            try (var pool = Pool.of(() -> connect(host))
                    .destructor(Connection::close)
                    .max(10)
                    .build()) {
                String answer = pool.use(connection -> connection.ask("question"));
            }
            // @end
        });
        assertThat(done).containsExactly("db: question", "closed");
    }

    @Test
    void cores_runTheSameBody() {
        TestRuntime.run(() -> {
            // @start region="cores" :
            List<Integer> each = Cores.builder().run(() -> Cores.current().index());
            // @end
            assertThat(each).hasSize(Async.availableParallelism()).startsWith(0);
        });
    }

    @Test
    void ownerOfAWord_countsIt() {
        TestRuntime.run(() -> {
            // @start region="owner" :
            var counts = PerCore.of(() -> new HashMap<String, Integer>());
            Cores.builder().run(() -> {
                Cores cores = Cores.current();
                for (String word : List.of("red", "green", "red"))
                    cores.onOwnerOf(word, () -> counts.get().merge(word, 1, Integer::sum));
            });
            // @end
        });
    }

    @Test
    void scope_awaitsBoth() {
        String a = "a";
        String b = "b";
        TestRuntime.run(() -> {
            // @start region="scope" :
            try (var scope = new Scope()) {
                scope.spawn(() -> fetch(a));
                scope.spawn(() -> fetch(b));
                scope.awaitCompletion(timeout(5_000));
            }
            // @end
        });
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void select_takesWhatIsReadyFirst() {
        TestRuntime.run(() -> {
            var orders = new Channel<Integer>(1);
            var replies = new Channel<String>();
            var stopped = new FutureState<String>().future();
            Async.spawn(() -> orders.send(7));
            // @start region="select" :
            String news = Select.<String>of()
                    .receive(orders, order -> "order " + order)
                    .send(replies, "ready", () -> "reply sent")
                    .await(stopped, why -> "stopped: " + why)
                    .onTimeout(Duration.ofSeconds(1), () -> "nothing new")
                    .select();
            // @end
            assertThat(news).isEqualTo("order 7");
        });
    }

    @Test
    void group_collectsByKey() {
        TestRuntime.run(() -> {
            // @start region="group" :
            var group = new TaskGroup<String>(3);
            for (String url : urls) group.spawnWithKey(url, () -> fetch(url));
            Map<Object, String> pages = group.all().await();
            // @end
            assertThat(pages)
                    .containsExactly(
                            Map.entry("one", "page one"),
                            Map.entry("two", "page two"),
                            Map.entry("three", "page three"),
                            Map.entry("four", "page four"));
        });
    }

    @Test
    void set_showsEachOutcomeAsItComes() {
        TestRuntime.run(() -> {
            // @start region="set" :
            var set = new TaskSet<String>(10);
            for (String url : urls) set.spawn(() -> fetch(url));
            set.close();
            for (TaskResult<String> one : set) show(one);
            // @end
        });
        assertThat(done)
                .containsExactly("one", "two", "three", "four", "page one", "page two", "page three", "page four");
    }

    private void show(TaskResult<String> one) {
        done.add(one.result());
    }

    private String fetch(String url) {
        done.add(url);
        Async.suspend();
        return "page " + url;
    }

    private Connection connect(String host) {
        return new Connection(host);
    }

    private final class Connection {
        private final String host;

        Connection(String host) {
            this.host = host;
        }

        String ask(String question) {
            done.add(host + ": " + question);
            return "answer";
        }

        void close() {
            done.add("closed");
        }
    }
}
