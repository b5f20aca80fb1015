package org.trueasync.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.ChannelException;

/** A member in a process of its own that gets signals. Its coroutines use what is shared, and say what they see. */
final class SignalledMember {
    /** Of this very process, for the tasks that run in it. */
    static Cluster here;

    private static final CompletableFuture<Boolean> release = new CompletableFuture<>();

    private SignalledMember() {}

    static MemberProcess start(String cluster, int port, Duration silence) throws IOException {
        return MemberProcess.start(
                List.of(), SignalledMember.class, cluster, Integer.toString(port), silence.toString());
    }

    static ClusterConfig.Builder config(String cluster, int port, Duration silence) {
        return ClusterConfig.builder()
                .name(cluster)
                .members("127.0.0.1:" + port)
                .silence(silence)
                .engine(BadDaysTest::impatient)
                .allow("org.trueasync.cluster.");
    }

    public static void main(String[] arguments) throws Exception {
        Async.runtime().shutdownOn().run((Body) () -> {
            Duration silence = Duration.parse(arguments[2]);
            here = Cluster.join(config(arguments[0], Integer.parseInt(arguments[1]), silence)
                    .build());
            here.awaitMembers(2);
            Async.spawn(SignalledMember::hold);
            Async.spawn(SignalledMember::receive);
            Async.spawn(SignalledMember::ask);
            try {
                here.awaitClosed();
            } finally {
                IO.println("main: finally");
            }
        });
        IO.println("run: over");
    }

    /** Has the coroutine that holds the lock give it back. */
    static int release() {
        release.complete(true);
        return 0;
    }

    private static void hold() {
        ClusterLock lock = here.lock("held");
        lock.lock();
        IO.println("lock: holds " + lock.fence());
        try {
            Async.await(release);
        } finally {
            try {
                lock.unlock();
                IO.println("lock: given back");
            } catch (ClusterException e) {
                IO.println("lock: " + e.getMessage());
            }
        }
    }

    private static void receive() {
        ClusterChannel<Integer> numbers = here.channel("numbers", 4);
        IO.println("channel: waits");
        try {
            while (true) IO.println("channel: got " + numbers.receive());
        } catch (ChannelException e) {
            IO.println("channel: closed");
        } finally {
            IO.println("channel: finally");
        }
    }

    private static void ask() {
        ClusterMember first = here.members().getFirst();
        try {
            here.submitTo(first, SignalledMemberTest::withFinally).await();
            IO.println("asker: answered");
        } catch (ClusterException e) {
            IO.println("asker: " + e.getClass().getSimpleName() + ": " + e.getMessage());
        } finally {
            IO.println("asker: finally");
        }
    }
}
