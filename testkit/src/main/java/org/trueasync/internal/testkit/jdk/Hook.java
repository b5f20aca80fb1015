package org.trueasync.internal.testkit.jdk;

import java.net.DatagramSocket;
import java.net.DatagramSocketImplFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.UnknownHostException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the changed classes call in place of the JDK's clocks and sources of chance. On a thread whose carrier has
 * entered virtual time the answers are that run's, on all others the JDK's own. Any thread. The clocks allocate
 * nothing, and nothing here may call what calls it.
 *
 * <p>The agent defines copies of this class and of its companions into {@code java.lang}, where all classes find
 * them: so they use the JDK alone, and no lambdas.
 */
public final class Hook {
    private static final long NANOS_OF_MILLI = 1_000_000;
    private static final long NANOS_OF_SECOND = 1_000_000_000;

    /** What the JDK's adjustment may be at most, in seconds. */
    private static final long FAR = 1L << 32;

    /** About what a thread takes to look again. */
    private static final long SPIN_NANOS = 1_000;

    /** So much that went on outside of a run is remembered. */
    private static final int ESCAPES = 50;

    /** The runs, one for each carrier; replaced as a whole. */
    private static volatile Hook[] runs = {};

    private static volatile boolean begun;

    /** Used by the JVM's thread alone. */
    private static @Nullable Thread goingOn;

    private static long uniquifier = 8_682_522_807_148_012L;

    private final CarrierThread carrier;
    private final LongSupplier clock;
    private final LongSupplier date;
    private final LongConsumer advance;
    private final LongSupplier chance;
    private final List<Throwable> escapes = new ArrayList<>(0);
    private final Consumer<Thread> blocks;
    private final Predicate<Thread> goesOn;
    /** Of all hosts, those that have not ended. */
    private final List<HostThread> threads = new ArrayList<>(0);

    private @Nullable Supplier<@Nullable BooleanSupplier> hosts;
    private @Nullable Function<Path, @Nullable FileSystemProvider> files;
    private @Nullable Function<Class<?>, @Nullable Object> sockets;
    private @Nullable Function<Object, InetAddress @Nullable []> names;

    private Hook(
            LongSupplier clock,
            LongSupplier date,
            LongConsumer advance,
            LongSupplier chance,
            Consumer<Thread> blocks,
            Predicate<Thread> goesOn) {
        this.carrier = CarrierThread.currentCarrierThread();
        this.clock = clock;
        this.date = date;
        this.advance = advance;
        this.chance = chance;
        this.blocks = blocks;
        this.goesOn = goesOn;
    }

    /** Called once the classes have been changed. */
    public static void begin() {
        begun = true;
    }

    /** True if the classes have been changed. */
    public static boolean hasBegun() {
        return begun;
    }

    /**
     * Puts the calling thread, and what it carries, into a run's time.
     *
     * @param clock nanoseconds, never 0, for which the JDK has a meaning of its own
     * @param date nanoseconds since 1970
     * @param advance lets nanoseconds pass
     * @param chance random numbers
     * @param blocks told of each virtual thread that begins to wait for a monitor
     * @param goesOn asked about each that may go on, on a thread of the JVM's; true: the run has it go on
     */
    public static synchronized void enter(
            LongSupplier clock,
            LongSupplier date,
            LongConsumer advance,
            LongSupplier chance,
            Consumer<Thread> blocks,
            Predicate<Thread> goesOn) {
        Hook[] more = Arrays.copyOf(runs, runs.length + 1);
        var run = new Hook(clock, date, advance, chance, blocks, goesOn);
        more[runs.length] = run;
        runs = more;
        // otherwise the first thread that asks for its generator would draw for the carrier's too
        run.carrier.threadLocalRandomSeed = chance.getAsLong();
        run.carrier.threadLocalRandomSecondarySeed = (int) chance.getAsLong() | 1;
        run.carrier.threadLocalRandomProbe = 1;
    }

    /**
     * Takes the calling thread out of the time that it has entered last.
     *
     * @return the places where something went on outside of the run, at most 50; each says what
     */
    public static synchronized List<Throwable> leave() {
        Hook left = run();
        if (left == null) return List.of();
        Hook[] fewer = new Hook[runs.length - 1];
        int count = 0;
        for (Hook one : runs) if (one != left) fewer[count++] = one;
        runs = fewer;
        return left.escapes;
    }

    private static @Nullable Hook run() {
        Hook[] all = runs;
        if (all.length == 0) return null;
        CarrierThread carrier = CarrierThread.currentCarrierThread();
        for (int i = all.length - 1; i >= 0; i--) if (all[i].carrier == carrier) return all[i];
        return null;
    }

    // ---- the clocks

    /** For {@link System#nanoTime}. */
    public static long nanoTime() {
        Hook run = run();
        return run == null ? System.nanoTime() : run.clock.getAsLong();
    }

    /** For {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        Hook run = run();
        return run == null ? System.currentTimeMillis() : run.date.getAsLong() / NANOS_OF_MILLI;
    }

    /** For the JDK's internal method of that name, by which {@code Instant.now} finds the time. */
    public static long getNanoTimeAdjustment(long offsetInSeconds) {
        Hook run = run();
        if (run == null) return InternalVM.getNanoTimeAdjustment(offsetInSeconds);
        long now = run.date.getAsLong();
        long seconds = now / NANOS_OF_SECOND - offsetInSeconds;
        if (seconds <= -FAR || seconds >= FAR) return -1;
        return seconds * NANOS_OF_SECOND + now % NANOS_OF_SECOND;
    }

    // ---- chance

    /** For {@link Math#random}. */
    public static double random() {
        Hook run = run();
        return run == null ? Math.random() : (run.chance.getAsLong() >>> 11) * 0x1.0p-53;
    }

    /** For the private method of {@link java.util.Random} by which each generator gets a seed of its own. */
    public static long seedUniquifier() {
        Hook run = run();
        return run == null ? nextUniquifier() : run.chance.getAsLong();
    }

    private static synchronized long nextUniquifier() {
        uniquifier *= 1_181_783_497_276_652_981L;
        return uniquifier;
    }

    /** For the generators from which the seeds of others come. */
    public static long getAndAdd(AtomicLong generator, long delta) {
        Hook run = run();
        return run == null ? generator.getAndAdd(delta) : run.chance.getAsLong();
    }

    /** As {@link #getAndAdd}, for the numbers by which threads choose different parts of what they share. */
    public static int addAndGet(AtomicInteger generator, int delta) {
        Hook run = run();
        return run == null ? generator.addAndGet(delta) : (int) run.chance.getAsLong();
    }

    /** For the number of a thread, by which the generators of threads differ. */
    public static long threadId(Thread thread) {
        return run() == null ? thread.threadId() : 0;
    }

    /** Replaces secure random bytes. */
    public static void fill(byte[] bytes) {
        Hook run = run();
        if (run == null) return;
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word = i % Long.BYTES == 0 ? run.chance.getAsLong() : word >>> Byte.SIZE;
            bytes[i] = (byte) word;
        }
    }

    /** For the generator that {@link java.util.Collections#shuffle} keeps for all who call it. */
    public static @Nullable Random generator(@Nullable Random kept) {
        Hook run = run();
        return run == null ? kept : new Random(run.chance.getAsLong());
    }

    /** For the order of {@code Map.of} and {@code Set.of}, which each JVM chooses for itself. */
    public static long salt(long real) {
        return run() == null ? real : 0;
    }

    /** As {@link #salt}, for small ones, and for the direction. */
    public static boolean reverse(boolean real) {
        return run() == null && real;
    }

    // ---- waits, and other threads

    /** For a wait of the carrier itself, which holds the loop. */
    public static void park(InternalUnsafe unsafe, boolean isAbsolute, long time) {
        Hook run = time == 0 ? null : run();
        if (run == null) {
            unsafe.park(isAbsolute, time);
            return;
        }
        unsafe.park(false, 1); // takes the permit, if there is one
        long nanos = isAbsolute ? time * NANOS_OF_MILLI - run.date.getAsLong() : time;
        if (nanos > 0) run.advance.accept(nanos);
    }

    /** A virtual thread leaves its carrier, perhaps to wait for a monitor. */
    static void leaves(Thread virtual) {
        Hook run = run();
        if (run != null) run.blocks.accept(virtual);
    }

    /** A thread of the JVM's is about to have a virtual thread go on, which may enter its monitor now. */
    static void goesOn(Thread virtual) {
        Thread kept = null;
        for (Hook run : runs) if (run.goesOn.test(virtual)) kept = virtual;
        goingOn = kept;
    }

    /** True if a run has the thread go on, in its own order, and not the JVM's thread that calls this. */
    static boolean isKept(Thread virtual) {
        return goingOn == virtual && run() == null;
    }

    // ---- threads of hosts, see ThreadHook

    /** True if there is a run, on any thread. */
    static boolean isAnywhere() {
        return runs.length > 0;
    }

    /** The host whose loop runs on the calling thread; null for none. It tells whether it is no more. */
    static @Nullable BooleanSupplier host() {
        Hook run = run();
        return run == null || run.hosts == null ? null : run.hosts.get();
    }

    /** Takes time, or a thread that spins until a time would do so for ever. */
    static void spins() {
        Hook run = run();
        if (run != null) run.advance.accept(SPIN_NANOS);
    }

    static void add(HostThread thread) {
        Hook run = run();
        if (run != null) run.threads.add(thread);
    }

    static void remove(HostThread thread) {
        Hook run = run();
        if (run != null) run.threads.remove(thread);
    }

    /** A host's threads that have not ended. */
    static List<HostThread> threads(@Nullable BooleanSupplier host) {
        Hook run = run();
        List<HostThread> found = new ArrayList<>();
        if (run != null) for (HostThread one : run.threads) if (one.over == host) found.add(one);
        return found;
    }

    /** Remembers a platform thread that has started: what it does is not the run's. */
    static void started(Thread thread) {
        if (!ThreadHook.isOfProgram(thread)) return;
        escapes("started the platform thread '".concat(thread.getName()).concat("', on which no seed decides"));
    }

    /** Remembers a thread that is woken although its host is no more, as those of static pools are. */
    static void shares(Thread thread) {
        escapes("woke the thread '"
                .concat(thread.getName())
                .concat("' of another host or run, which never runs again"));
    }

    private static void escapes(String what) {
        Hook run = run();
        if (run != null && run.escapes.size() < ESCAPES) run.escapes.add(new Throwable(what));
    }

    /** True if a task goes to a thread on the caller's loop in place of the pool. */
    public static boolean runs(ForkJoinPool pool, ForkJoinTask<?> task) {
        return pool == ForkJoinPool.commonPool() && delays(task, 0);
    }

    /** As {@link #runs}, in so many nanoseconds. */
    public static boolean delays(ForkJoinTask<?> task, long nanos) {
        Hook run = run();
        if (run == null || !Thread.currentThread().isVirtual()) return false;
        Thread.ofVirtual().name("common pool").start(new HookTask(task, run.clock.getAsLong() + nanos));
        return true;
    }

    // ---- files and sockets of simulated hosts

    /**
     * Gives the run that the calling thread is in files, sockets and names of its own. Each answers null where the real
     * ones are meant.
     *
     * @param hosts the host whose loop runs now: it tells whether it is no more; null for none
     * @param files who serves a path
     * @param sockets what is below a new socket of a class; for datagrams a factory; for channels their provider
     * @param names the addresses of a {@code String}, none if it is unknown; this host's if it is empty; or an
     *     {@code InetAddress} under its name
     */
    public static void simulate(
            Supplier<@Nullable BooleanSupplier> hosts,
            Function<Path, @Nullable FileSystemProvider> files,
            Function<Class<?>, @Nullable Object> sockets,
            Function<Object, InetAddress @Nullable []> names) {
        Hook run = run();
        if (run == null) return;
        run.hosts = hosts;
        run.files = files;
        run.sockets = sockets;
        run.names = names;
    }

    /** For the JDK's choice of who serves a path. */
    public static FileSystemProvider provider(FileSystemProvider real, Path path) {
        Hook run = run();
        FileSystemProvider other = run == null || run.files == null ? null : run.files.apply(path);
        return other == null ? real : other;
    }

    /** For a new socket of the platform; null for the real one. */
    public static @Nullable SocketImpl socket(boolean server) {
        Hook run = run();
        Class<?> type = server ? ServerSocket.class : Socket.class;
        return run == null || run.sockets == null ? null : (SocketImpl) run.sockets.apply(type);
    }

    /** For what makes sockets for datagrams; null: the platform does. */
    public static @Nullable DatagramSocketImplFactory datagrams(@Nullable DatagramSocketImplFactory installed) {
        Hook run = run();
        Object other = run == null || run.sockets == null ? null : run.sockets.apply(DatagramSocket.class);
        return other == null ? installed : (DatagramSocketImplFactory) other;
    }

    /** For what makes channels for sockets, and selectors. */
    public static SelectorProvider channels(SelectorProvider real) {
        Hook run = run();
        Object other = run == null || run.sockets == null ? null : run.sockets.apply(SelectorProvider.class);
        return other == null ? real : (SelectorProvider) other;
    }

    /** Refuses a host's program what would reach the real network: it has other hosts of the same addresses. */
    public static void refuse() {
        if (localHost() != null && Thread.currentThread().isVirtual())
            throw new UnsupportedOperationException(
                    "a simulated host has no asynchronous channels: use SocketChannel, Socket, TcpStream or UdpSocket");
    }

    /** For a look-up of a name; null for the real one. */
    public static InetAddress @Nullable [] addresses(String name) throws UnknownHostException {
        Hook run = run();
        InetAddress[] found = run == null || run.names == null ? null : run.names.apply(name);
        if (found != null && found.length == 0) throw new UnknownHostException(name);
        return found;
    }

    /** For the address of this machine under its name; null for the real one. */
    public static @Nullable InetAddress localHost() {
        Hook run = run();
        InetAddress[] found = run == null || run.names == null ? null : run.names.apply("");
        return found == null ? null : found[0];
    }

    /** For the look-up of an address; null for the real one. */
    public static @Nullable String nameOf(InetAddress address) {
        Hook run = run();
        InetAddress[] found = run == null || run.names == null ? null : run.names.apply(address);
        return found == null ? null : found[0].getHostName();
    }
}
