package org.trueasync.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.context.ContextRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.cluster.ClusterMember;
import org.trueasync.cluster.ClusterTask;
import org.trueasync.cluster.TaskRefusedException;

/** The tasks of others on a member, without an engine around it. */
class TaskHostTest {
    private static final ClusterMember CALLER = new ClusterMember(new UUID(0, 1), "192.0.2.1", 5701);

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    private static int begun;

    private final ObjectCodec codec = new ObjectCodec(
            new AllowedClasses(List.of("org.trueasync.internal.cluster.")),
            getClass().getClassLoader());

    private static RunTask task(long number) throws Exception {
        return task(number, () -> ++begun, Map.of());
    }

    private static RunTask task(long number, ClusterTask<?> task, Map<String, String> context) throws Exception {
        return new RunTask(new TaskKey(CALLER.id(), number), ObjectCodec.write(0, task), context);
    }

    private Object answer(TaskHost host, RunTask task) throws Exception {
        var answer = new CompletableFuture<byte[]>();
        task.setOperationResponseHandler((operation, response) -> answer.complete((byte[]) response));
        host.begin(task);
        return Answer.read(Async.await(answer), codec, CALLER);
    }

    @Test
    void cancellationThatOvertakesItsTask_isKeptForIt_andForNoOther() throws Exception {
        Async.run((Body) () -> {
            var host = new TaskHost(Async.executor(), codec, 10);
            begun = 0;
            host.cancel(new TaskKey(CALLER.id(), 1));
            assertThatThrownBy(() -> answer(host, task(1)))
                    .isInstanceOf(TaskRefusedException.class)
                    .hasMessageContaining("it was cancelled before it began");
            assertThat(begun).isZero();
            assertThat(answer(host, task(2))).isEqualTo(1);
            assertThat(host.count()).isZero();
        });
    }

    @Test
    void textOfTheSendersContext_isSetInTheTask_andEndsWithIt() throws Exception {
        var registry = ContextRegistry.getInstance();
        registry.registerThreadLocalAccessor("tenant", TENANT);
        try {
            Async.run((Body) () -> {
                var host = new TaskHost(Async.executor(), codec, 10);
                ClusterTask<String> look = () -> String.valueOf(TENANT.get());
                assertThat(answer(host, task(1, look, Map.of("local:tenant", "acme", "mdc:request", "r1"))))
                        .isEqualTo("acme");
                assertThat(answer(host, task(2, look, Map.of()))).isEqualTo("null");
                assertThat(TENANT.get()).isNull();
            });
        } finally {
            registry.removeThreadLocalAccessor("tenant");
        }
    }
}
