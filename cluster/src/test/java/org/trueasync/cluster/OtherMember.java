package org.trueasync.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Body;

/** A member in a process of its own, which runs what others send. */
final class OtherMember implements AutoCloseable {
    /** The variable of the environment that names its reactor; without it, the best one. */
    static final String REACTOR = "MEMBER_REACTOR";

    /** Of this very process, for the tasks that run in it. */
    static Cluster here;

    private final MemberProcess process;

    private OtherMember(MemberProcess process) {
        this.process = process;
    }

    /**
     * Starts one, and does not wait for it.
     *
     * @param around the command's beginning, with which another command runs it; may be empty
     */
    static OtherMember start(String name, String bind, String members, Duration silence, String... around)
            throws IOException {
        return new OtherMember(
                MemberProcess.start(List.of(around), OtherMember.class, name, bind, members, silence.toString()));
    }

    /** Waits until it has joined: where it listens. */
    String address() {
        return process.says("member ");
    }

    /** SIGKILL: no last word. */
    void kill() {
        process.kill();
    }

    void signal(String name) throws Exception {
        process.signal(name);
    }

    void stop() throws Exception {
        process.stop();
    }

    @Override
    public void close() throws Exception {
        process.close();
    }

    public static void main(String[] arguments) {
        String reactor = System.getenv(REACTOR);
        var runtime = reactor == null ? Async.runtime() : Async.runtime().reactor(reactor);
        runtime.run((Body) () -> {
            here = Cluster.join(ClusterConfig.builder()
                    .name(arguments[0])
                    .bind(arguments[1])
                    .members(arguments[2].split(",", -1))
                    .silence(Duration.parse(arguments[3]))
                    .engine(BadDaysTest::impatient)
                    .build());
            System.out.println("member " + here.self().address());
            here.awaitClosed();
        });
    }
}
