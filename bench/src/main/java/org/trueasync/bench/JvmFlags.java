package org.trueasync.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The flags of the measured JVMs. The heap and the collector are the same for all; a peer has flags of its own only if
 * it can't run without them.
 */
public final class JvmFlags {

    /** The flags with which the command starts a program, as {@code bin/bench} hands them over. */
    private static final String COMMAND_FLAGS = System.getProperty("trueasync.bench.flags", "");

    /*
     * Touched beforehand: otherwise each allocation of 4 KiB costs a page fault until the young generation was used
     * once. That takes longer than a warm-up, and made a bare continuation seem eight times as expensive as it is.
     */
    private static final List<String> HEAP = List.of("-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch");

    /** The JVM is told that it has one cpu, as a server and its client have when they are measured. */
    private static final List<String> SERVER = List.of("-Xms512m", "-Xmx512m", "-XX:ActiveProcessorCount=1");

    private static final List<String> CLIENT_OF_A_DATABASE = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    private static final List<String> HELPED_BY_THREADS = List.of("-Xms512m", "-Xmx512m");

    private static final String POLLERS = "-Djdk.pollerMode=";

    private static final List<String> RAW_CONTINUATIONS =
            List.of("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");

    private static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    /**
     * If the JVM sees more than one cpu, jox spins before it parks. With one carrier it can't gain anything by that.
     */
    private static final List<String> ONE_CPU = Stream.concat(
                    ONE_CARRIER.stream(), Stream.of("-XX:ActiveProcessorCount=1"))
            .toList();

    /** Keeps {@code measured} out of the loops around it, see {@code AwaitDone}. */
    private static final List<String> AWAIT_IN_A_CALL_OF_ITS_OWN =
            List.of("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,org.trueasync.bench.peer.*::measured");

    /*
     * A frame's size depends on whether and how it was compiled. If the compiler works in the background, the number of
     * interpreted frames that are weighed depends on how busy the machine is: the same virtual thread took 950 bytes,
     * or 1,400.
     */
    private static final String COMPILE_IN_TURN = "-Xbatch";

    private JvmFlags() {}

    /** Returns the flags for a JVM that does one of the workloads. */
    public static List<String> workload(Peer peer) {
        var flags = new ArrayList<>(HEAP);
        flags.addAll(AWAIT_IN_A_CALL_OF_ITS_OWN);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /**
     * Returns the flags for a JVM in which a million coroutines sleep at once. A smaller young generation would be
     * almost full then, and chance would decide whether it is collected, which takes two seconds.
     */
    public static List<String> timers(Peer peer) {
        var flags = workload(peer);
        flags.add("-Xmn2g");
        return flags;
    }

    /** Returns the flags for a JVM in which the number of elements grows: a million of any kind fit in it. */
    public static List<String> growth(Peer peer) {
        return timers(peer);
    }

    /** Returns the flags for a JVM whose suspended stacks are weighed. */
    public static List<String> memory(Peer peer) {
        var flags = workload(peer);
        flags.add(COMPILE_IN_TURN);
        return flags;
    }

    /** Returns the flags for a server, and for the processes of {@code udp}. */
    public static List<String> server(Peer peer) {
        var flags = new ArrayList<>(SERVER);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /**
     * Returns the flags for a JVM that queries a database, or is a member of a cluster: every peer may use all cpus.
     */
    public static List<String> database(Peer peer) {
        var flags = new ArrayList<>(CLIENT_OF_A_DATABASE);
        flags.addAll(common(peer));
        return flags;
    }

    /**
     * Returns the flags for a JVM that reads and writes files. It sees all cpus, as helper threads look for work before
     * they sleep only if there are at least two.
     */
    public static List<String> files(Peer peer) {
        var flags = new ArrayList<>(HELPED_BY_THREADS);
        flags.addAll(common(peer));
        flags.addAll(ofPeer(peer));
        return flags;
    }

    /** Returns the flags for the client: the same for every server, and none of the command. */
    public static List<String> client() {
        return SERVER;
    }

    /*
     * The command's flags go to every peer: those that tune (heap, collector, compiler) must, and those that open
     * packages do no harm. The exception is the flag for the JDK's pollers of blocking sockets: for its own virtual
     * threads the JDK has chosen the mode.
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
            case NETTY_EPOLL, C -> List.of("--enable-native-access=ALL-UNNAMED");
            case NETTY_NIO,
                    ENGINE,
                    HELIDON,
                    OURS,
                    OURS_BEFORE,
                    OURS_BY_DELAY,
                    OURS_BY_TCP_STREAM,
                    OURS_ON_NIO,
                    OURS_ON_ONE_CORE,
                    OURS_UNSCRAPED,
                    OURS_UNMETERED,
                    OURS_NOT_RESET,
                    PLATFORM_THREADS,
                    KOTLIN,
                    COMPLETABLE_FUTURE -> List.of();
        };
    }
}
