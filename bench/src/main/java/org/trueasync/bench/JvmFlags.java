package org.trueasync.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The flags of the measured JVMs. The heap and the collector are the same for all; a peer differs from the others by what it needs to run at
 * all and by nothing else.
 */
public final class JvmFlags {

    /** What {@code bin/bench} hands over: the flags with which the command starts a program. */
    private static final String COMMAND_FLAGS = System.getProperty("trueasync.bench.flags", "");

    /*
     * Touched beforehand: otherwise whoever allocates pays a page fault for every 4 KiB until the young generation has gone round once, which
     * takes longer than a warm-up and made a bare continuation eight times as dear as it is.
     */
    private static final List<String> HEAP = List.of("-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch");

    /** A server has a cpu of its own and sees only that one. */
    private static final List<String> SERVER = List.of("-Xms512m", "-Xmx512m", "-XX:ActiveProcessorCount=1");

    private static final List<String> CLIENT_OF_A_DATABASE = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    private static final List<String> HELPED_BY_THREADS = List.of("-Xms512m", "-Xmx512m");

    private static final String POLLERS = "-Djdk.pollerMode=";

    private static final List<String> RAW_CONTINUATIONS =
            List.of("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");

    private static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    /** jox spins before it parks wherever the JVM sees more than one cpu, which one carrier can't profit from. */
    private static final List<String> ONE_CPU = Stream.concat(
                    ONE_CARRIER.stream(), Stream.of("-XX:ActiveProcessorCount=1"))
            .toList();

    /** See {@code AwaitDone}. */
    private static final List<String> AWAIT_IN_A_CALL_OF_ITS_OWN =
            List.of("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,org.trueasync.bench.peer.*::one");

    /*
     * A frame's size depends on who compiled it. Where the compiler works in the background, a busy machine decides how many interpreted frames
     * are weighed: the same virtual thread took 950 bytes, or 1,400.
     */
    private static final String COMPILE_IN_TURN = "-Xbatch";

    private JvmFlags() {}

    /** For a JVM that does one of the workloads. */
    public static List<String> workload(Peer peer) {
        var flags = new ArrayList<>(HEAP);
        flags.addAll(AWAIT_IN_A_CALL_OF_ITS_OWN);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /** For a JVM in which a million sleep at once. A smaller young generation is just about full then, and chance decides whether it is collected: two seconds more. */
    public static List<String> timers(Peer peer) {
        var flags = workload(peer);
        flags.add("-Xmn2g");
        return flags;
    }

    /** For a JVM whose suspended stacks are weighed. */
    public static List<String> memory(Peer peer) {
        var flags = workload(peer);
        flags.add(COMPILE_IN_TURN);
        return flags;
    }

    /** For a JVM that is an echo server. */
    public static List<String> server(Peer peer) {
        var flags = new ArrayList<>(SERVER);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /** For a JVM that asks a database: as many cpus as there are, for whoever can use them. */
    public static List<String> database(Peer peer) {
        var flags = new ArrayList<>(CLIENT_OF_A_DATABASE);
        flags.addAll(common(peer));
        return flags;
    }

    /** For a JVM that reads and writes files: as many cpus as there are, as a helper thread looks for work before it sleeps only where there are two. */
    public static List<String> files(Peer peer) {
        var flags = new ArrayList<>(HELPED_BY_THREADS);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /** For the echo client: the same for every server, and nothing of ours in it. */
    public static List<String> client() {
        return SERVER;
    }

    /*
     * The command's flags go to every peer: those that tune (heap, collector, compiler) must, and those that open packages do nothing
     * to who does not use them. Who serves blocking sockets is the exception: the JDK has chosen that for its own virtual threads.
     */
    private static List<String> common(Peer peer) {
        boolean ours = peer.isOurs();
        return Stream.of(COMMAND_FLAGS.strip().split("\\s+"))
                .filter(flag -> !flag.isEmpty() && (ours || !flag.startsWith(POLLERS)))
                .toList();
    }

    private static List<String> ofPeer(Peer peer) {
        return switch (peer) {
            case FLOOR -> RAW_CONTINUATIONS;
            case VIRTUAL_THREADS, HIKARI, COMMONS_POOL, STORMPOT, VIBUR -> ONE_CARRIER;
            case JOX -> ONE_CPU;
            case NETTY_EPOLL -> List.of("--enable-native-access=ALL-UNNAMED");
            case NETTY_NIO,
                    ENGINE,
                    OURS,
                    OURS_BY_DELAY,
                    OURS_BY_TCP_STREAM,
                    OURS_ON_NIO,
                    OURS_ON_ONE_CORE,
                    PLATFORM_THREADS,
                    KOTLIN,
                    COMPLETABLE_FUTURE -> List.of();
        };
    }
}
