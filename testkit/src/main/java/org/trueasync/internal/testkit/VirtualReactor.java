package org.trueasync.internal.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.run.SharedThread;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.internal.testkit.jdk.JdkTime;
import org.trueasync.spi.FileHandle;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;
import org.trueasync.spi.UdpHandle;

/**
 * A reactor with virtual time and without an operating system: a waiting turn jumps to the alarm at once. It is
 * deterministic. A deadlock is found immediately, because no real time has to pass.
 *
 * <p>A trigger from another thread comes before a jump. Without an alarm and without a pending completion, a waiting
 * turn waits in real time for a trigger: of a JDK socket or a JDK timer, for instance. TCP, UDP and Unix sockets
 * between the coroutines of the run are simulated.
 *
 * <p>With a {@link Chance} computing takes time, the loop wakes late, and completions of the world outside come in any
 * order.
 */
public class VirtualReactor implements Reactor {
    /** Start of the year 2000, when every run begins, in nanoseconds since 1970. */
    public static final long BEGIN_NANOS = 946_684_800_000_000_000L;

    private final World world;
    /** Null if the loop has a thread of its own. */
    private final @Nullable SharedThread thread;

    private final NetworkStack stack;
    private final @Nullable Chance chance;
    private final Completions completions;
    private final SplittableRandom random;
    private final SplittableRandom jdkRandom;
    private boolean timesJdk;
    private List<Throwable> escapes = List.of();
    private final AtomicBoolean triggered = new AtomicBoolean();
    /** Its identity stands for the host. */
    final BooleanSupplier gone = this::isGone;

    private volatile @Nullable Runnable posted;
    private @Nullable VirtualDisk disk;
    private final @Nullable HostClock clock;
    private long alarm = Long.MAX_VALUE;
    /** True while others run although there is something to do here: it need not wait, or has not begun. */
    private boolean ready;

    private long restsUntil;
    private boolean begun;
    private boolean inTurn;
    private boolean cut;
    private boolean closed;
    private int turns;
    private int waitingTurns;

    /** A reactor whose time is 0. */
    public VirtualReactor() {
        this(0, null);
    }

    /**
     * A reactor of a world of its own, whose time is 0.
     *
     * @param seed the seed of {@link #random}
     * @param chance the decisions about the world outside; null: computing takes no time, completions come in the order
     *     of the calls
     */
    public VirtualReactor(long seed, @Nullable Chance chance) {
        this(seed, chance, null);
    }

    /**
     * As {@link #VirtualReactor(long, Chance)}, with a trace.
     *
     * @param seed the seed of {@link #random}
     * @param chance the decisions about the world outside
     * @param trace gets what happens; null: nobody asks
     */
    public VirtualReactor(long seed, @Nullable Chance chance, @Nullable Trace trace) {
        this(new World(chance, trace), null, chance, null, new SplittableRandom(seed), null);
    }

    /**
     * The reactor of one host of a world, which begins to run when the world next runs. Computing takes no time there.
     *
     * @param name of the host
     * @param clock of the host
     * @param random numbers for its code
     * @param run runs a runtime on this reactor; throws nothing
     */
    public VirtualReactor(World world, String name, HostClock clock, SplittableRandom random, Runnable run) {
        this(world, name, null, clock, random, run);
        timesJdk = JdkTime.isThere();
    }

    private VirtualReactor(
            World world,
            @Nullable String name,
            @Nullable Chance chance,
            @Nullable HostClock clock,
            SplittableRandom root,
            @Nullable Runnable run) {
        this.world = world;
        this.thread = run == null ? null : new SharedThread(run);
        this.ready = run != null;
        this.random = root.split();
        this.jdkRandom = root.split();
        this.chance = chance;
        this.clock = clock;
        this.completions = new Completions(chance);
        this.stack = world.network.join(this, name);
        world.join(this);
    }

    @Override
    public String description() {
        return "virtual time";
    }

    @Override
    public boolean isTimeVirtual() {
        return true;
    }

    @Override
    public boolean timesJdkWaits() {
        return timesJdk || Reactor.super.timesJdkWaits();
    }

    /**
     * Makes the JDK's clocks and chance those of this reactor, on the calling thread and in what it carries, until
     * {@link #leaveJdkTime}. The loop thread, before the loop begins; does nothing where this JVM does not allow it.
     */
    public void enterJdkTime() {
        timesJdk = JdkTime.isThere();
        LongSupplier clock = () -> BEGIN_NANOS + nanoTime();
        JdkTime.enter(clock, clock, this::advance, jdkRandom::nextLong, world.monitors);
    }

    /** Takes {@link #enterJdkTime} back. The same thread, after the end of the loop. */
    public void leaveJdkTime() {
        escapes = JdkTime.leave();
    }

    /** After {@link #leaveJdkTime}, the places where something went on outside of the run, at most 50. */
    public List<Throwable> escapes() {
        return escapes;
    }

    @Override
    public long nanoTime() {
        if (chance != null) advance(chance.computingNanos());
        return clock == null ? world.now() : clock.nanoTime();
    }

    /** The nanoseconds since 1970, by the wall clock. */
    long date() {
        return clock == null ? BEGIN_NANOS + world.now() : clock.date();
    }

    /** Random numbers for the body of the run. */
    public SplittableRandom random() {
        return random;
    }

    /** The world's time. Reading it lets no time pass. */
    public long now() {
        return world.now();
    }

    /**
     * Advances the time, like a long computation.
     *
     * @param nanos >= 0
     */
    public void advance(long nanos) {
        world.advance(nanos);
    }

    /**
     * Adds a completion of the world outside, which happens in a later turn. Loop thread.
     *
     * @param completion called in that turn, like a listener of a handle
     */
    public void expect(Runnable completion) {
        completions.add(completion);
    }

    /**
     * Removes an expected completion that will not happen. Loop thread.
     *
     * @param completion as given to {@link #expect}
     */
    public void withdraw(Runnable completion) {
        completions.remove(completion);
    }

    /**
     * Runs an action on the loop, at the end of its next turn; a waiting turn ends at once. Replaces an action that has
     * not run yet. Any thread.
     *
     * @param action the action; must not wait
     */
    public void runOnLoop(Runnable action) {
        posted = action;
        trigger();
    }

    /** The coroutines of a run that goes on, for people. Another thread; takes up to a second. */
    public String coroutines() {
        var answer = new CompletableFuture<String>();
        runOnLoop(() -> answer.complete(CoroutineList.here()));
        return answer.completeOnTimeout("the loop does not answer, so one coroutine holds it", 1, TimeUnit.SECONDS)
                .join();
    }

    private void runPosted() {
        Runnable action = posted;
        if (action == null) return;
        posted = null;
        action.run();
    }

    /** Adds to the trace what happens outside of all coroutines; see {@link Trace#add}. */
    public void note(String what, Object about, String place) {
        world.note("outside", what, about, -1, place);
    }

    /** The program's line of code that calls; empty if nothing is recorded. */
    public String place() {
        return world.place();
    }

    /** True while a turn tells what has happened. Loop thread. */
    boolean isInTurn() {
        return inTurn;
    }

    /** True if a timer of the loop has come. Loop thread. */
    boolean isAlarmDue() {
        return alarm <= now();
    }

    /** Number of expected completions that have not happened. Loop thread. */
    public int expected() {
        return completions.size();
    }

    @Override
    public void execute(boolean noWait) {
        inTurn = true;
        turn(noWait);
        runPosted();
        inTurn = false;
    }

    private void turn(boolean noWait) {
        turns++;
        boolean handsOn = world.monitors.handOn();
        boolean mayWait = !triggered.getAndSet(false) && !handsOn && !noWait;
        if (mayWait) {
            waitingTurns++;
            await();
        } else {
            completions.happen(0);
            ready = true;
            world.giveWay(this);
            ready = false;
        }
        world.happen(this);
    }

    private void await() {
        long next = world.next();
        boolean timed = next != Long.MAX_VALUE;
        if (completions.completesBeforeAlarm(timed)) {
            if (chance != null && timed) advance(chance.atMost(next - now()));
            completions.happen(1);
            return;
        }
        world.await(this);
        triggered.set(false);
        if (chance != null && timed) advance(chance.latenessNanos());
    }

    @Override
    public void alarm(long deadline) {
        alarm = deadline;
    }

    @Override
    public void trigger() {
        triggered.set(true);
        world.triggered();
    }

    // ---- as a host of the world

    /** True if something from another thread is due here. Any thread. */
    boolean isTriggered() {
        return triggered.get() && restsUntil <= now();
    }

    /** When its loop wants to run next, whatever is planned; {@link Long#MAX_VALUE} for never. */
    long dueAt() {
        return Math.max(ready || triggered.get() ? now() : alarmInWorld(), restsUntil);
    }

    private long alarmInWorld() {
        return clock == null ? alarm : clock.worldTimeOf(alarm);
    }

    /** True if it is due before another one, or at the same time and has had fewer turns. */
    boolean isBefore(VirtualReactor other) {
        long at = dueAt();
        long others = other.dueAt();
        return at < others || (at == others && turns < other.turns);
    }

    long restsUntil() {
        return restsUntil;
    }

    /** Nothing runs here before a time; what happens meanwhile is noticed then. While no loop of the world runs. */
    public void restUntil(long time) {
        restsUntil = time;
    }

    /**
     * Ends the host as a loss of power does: nothing of it runs any more, and nobody is told. While no loop of the
     * world runs.
     */
    public void cut() {
        cut = true;
        stack.cut();
        world.leave(this);
        if (begun) resume();
    }

    /** True after {@link #cut}. */
    public boolean isCut() {
        return cut;
    }

    /** Does something on the loop, between two turns. While no loop of the world runs. */
    public void doOnLoop(Runnable action) {
        posted = action;
        resume();
    }

    /** True once nothing runs here any more. */
    boolean isGone() {
        return cut || closed;
    }

    boolean sharesThread() {
        return thread != null;
    }

    /** Goes on with the loop until it would wait. */
    void resume() {
        begun = true;
        ready = false;
        if (thread == null) throw new IllegalStateException("the loop has a thread of its own");
        VirtualReactor before = world.running;
        world.running = this;
        try {
            thread.resume();
        } finally {
            world.running = before;
        }
    }

    /** The host's part of the network. */
    public NetworkStack stack() {
        return stack;
    }

    /** Number of turns so far. */
    public int turns() {
        return turns;
    }

    /** Number of turns so far that were allowed to wait. */
    public int waitingTurns() {
        return waitingTurns;
    }

    @Override
    public boolean hasDescriptors() {
        return false;
    }

    @Override
    public PollHandle poll(int descriptor, PollHandle.Listener listener) {
        throw new UnsupportedOperationException("the virtual-time reactor has no descriptors");
    }

    @Override
    public ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        return stack.listen(local, options, listener);
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        return stack.connect(remote, listener);
    }

    @Override
    public ListenHandle listenUnix(
            Path path, int permissions, ListenHandle.Options options, ListenHandle.Listener listener) {
        return stack.listenUnix(path, options.backlog(), listener);
    }

    @Override
    public StreamHandle connectUnix(Path path, StreamHandle.Listener listener) {
        return stack.connectUnix(path, listener);
    }

    @Override
    public UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        return stack.bindUdp(local, options, listener);
    }

    @Override
    public @Nullable List<InetAddress> addressesOf(String host) {
        return stack.addressesOf(host);
    }

    /**
     * Gives the run a disk, in place of the real files. Before the run begins.
     *
     * @param disk used by no other run meanwhile
     */
    public void mount(VirtualDisk disk) {
        this.disk = disk;
        disk.mount(() -> date() - BEGIN_NANOS, this::advance);
    }

    /** The disk, if there is one. */
    @Nullable
    VirtualDisk disk() {
        return disk;
    }

    @Override
    public Executor helpers(Executor threads, String call) {
        VirtualDisk simulated = disk;
        if (simulated == null) return threads;
        long nanos = simulated.faults().nanos(call);
        return task -> stack.after(world.network.withJitter(nanos), task);
    }

    @Override
    public FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        return disk == null ? Reactor.super.open(path, options, attributes) : disk.open(path, options, attributes);
    }

    @Override
    public int openHandles() {
        return stack.openHandles();
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        if (cut) return;
        stack.end();
        if (disk != null) disk.programEnds();
        world.leave(this);
    }
}
