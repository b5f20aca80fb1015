package org.trueasync.stress;

import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.trueasync.*;

/**
 * A program made at random from a seed: a tree of coroutines, scopes and groups that fail, cancel each other and share
 * locks and a channel. At its end, every coroutine that has begun has ended, each error was told, no coroutine has seen
 * another one's context, and nothing is held, armed or left over.
 */
final class RandomTree {
    enum Kind {
        /** Without time, and no wait without an end: a seed has one trace, on any reactor. */
        STILL,
        /** Without time, but with waits that nothing may end: then the run ends as a deadlock. A seed has one trace. */
        OPEN,
        /** With time: delays, limits, waits of the JDK, interrupts, other threads. */
        TIMED,
        /** With time, and shut down at a random moment, from inside or from another thread. */
        CUT
    }

    private static final int LAST_THAT_SPAWNS = 11;
    private static final int STEPS_WITHOUT_TIME = 22;
    private static final int STEPS = 31;
    private static final int DEEPEST = 5;
    private static final int PERMITS = 2;
    private static final Duration HANGS = Duration.ofSeconds(30);
    private static final ContextKey<Integer> OWNER = ContextKey.named("owner");
    private static final ContextKey<Integer> SCOPE = ContextKey.named("scope");
    private static final ThreadLocal<Integer> LOCAL = new ThreadLocal<>();
    private static final Pattern PLANNED = Pattern.compile("(?m)(^org\\S+Planned: )?planned (\\d+)\\.");

    /** An error of the program itself. */
    private static final class Planned extends RuntimeException {
        final int number;

        Planned(int number) {
            super("planned " + number + ".");
            this.number = number;
        }
    }

    private final long seed;
    private final Kind kind;
    private final boolean timed;
    private final Random random;
    private final List<String> trace = new ArrayList<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private int stepsLeft;
    private int members;
    private int scopes;
    private int begun;
    private int ended;
    private int values;
    private int handlers;
    private int handlersRun;

    /** Errors by their numbers. Of a group that suppresses its errors, a task's error need not be told. */
    private int planned;

    private final BitSet told = new BitSet();

    /** Nothing becomes unreachable: else the garbage collector decides when an error is told. */
    private final List<Object> kept = new ArrayList<>();

    private final List<Coroutine<?>> coroutines = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Integer> inFlight = new HashSet<>();
    private Channel<Integer> channel;
    private Mutex mutex;
    private Semaphore semaphore;
    private ReentrantLock lock;
    private FutureState<Integer> promise;
    private final int[] inside = new int[3];

    /** What main has seen armed at the end; a run that is told to end has timers for that. */
    private String armed;

    RandomTree(long seed, Kind kind) {
        this.seed = seed;
        this.kind = kind;
        this.timed = kind == Kind.TIMED || kind == Kind.CUT;
        this.random = new Random(seed);
        this.stepsLeft = 20 + random.nextInt(60);
    }

    /**
     * Runs it, once.
     *
     * @return its trace
     * @throws AssertionError with the seed, what was wrong and the trace
     */
    List<String> run(String reactor) throws InterruptedException {
        var notices = new StringBuffer();
        AsyncRuntime runtime = Async.runtime()
                .name("tree")
                .reactor(reactor)
                .diagnostics(notice -> notices.append(notice).append('\n'))
                .drainTimeout(Duration.ofMillis(200))
                .shutdownTimeout(Duration.ofSeconds(5))
                .build();
        Thread watch = watch(runtime);
        Throwable outcome = null;
        try {
            runtime.run(this::root);
        } catch (Throwable e) {
            outcome = e;
        }
        trace.add("the run: " + nameOf(outcome));
        watch.join();
        checkTold(outcome, notices.toString());
        checkLeft(runtime);
        if (outcome == null && kind != Kind.CUT) check(armed == null, armed);
        if (!wrong.isEmpty())
            throw new AssertionError(
                    kind + " " + seed + " on " + reactor + ": " + String.join("\n", wrong) + "\n---\n"
                            + String.join("\n", trace) + "\n---\n" + notices,
                    outcome);
        return trace;
    }

    /** A hunt, which the first fault ends: for how many minutes, and the first seed. */
    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.parseLong(args[0]));
        long seed = Long.parseLong(args[1]);
        do {
            if (seed % 1_000 == 0) System.out.println("seed " + seed);
            for (Kind kind : Kind.values()) runOnBoth(seed, kind);
            seed++;
        } while (System.nanoTime() < end);
    }

    static void runOnBoth(long seed, Kind kind) throws InterruptedException {
        List<String> first = new RandomTree(seed, kind).run("libuv");
        List<String> second = new RandomTree(seed, kind).run("nio");
        boolean timed = kind == Kind.TIMED || kind == Kind.CUT;
        if (!timed && !first.equals(second))
            throw new AssertionError(kind + " " + seed + ": on libuv\n" + first + "\non nio\n" + second);
    }

    private void root() throws Exception {
        channel = new Channel<>(random.nextInt(3));
        mutex = new Mutex();
        semaphore = new Semaphore(PERMITS);
        lock = new ReentrantLock(random.nextBoolean());
        promise = new FutureState<Integer>().ignore();
        rootContext().set(SCOPE, 0);
        Coroutine<Integer> first = spawn(new Member(0, 0, false));
        coroutines.add(first);
        got(() -> await(first));
        if (kind == Kind.OPEN) return;
        while (coroutines().size() > 1) pause();
        var stats = runtimeStats();
        check(stats.queued() == 0 && stats.blocked() == 0, "ready or parked at the end");
        if (stats.activeEvents() + stats.timers() + stats.reactorHandles() > 0) armed = "left armed: " + stats;
    }

    private void pause() {
        if (timed) delay(1);
        else suspend();
    }

    private Duration millis() {
        return Duration.ofMillis(1 + random.nextInt(3));
    }

    /** Waits for what may fail, and goes on unless this coroutine was cancelled. */
    private void got(Task<?> wait) throws Exception {
        try {
            trace.add("got " + wait.call());
        } catch (AsyncCancellation e) {
            tell(e);
            trace.add("got " + nameOf(e));
            if (currentCoroutine().isCancellationRequested()) throw e;
        } catch (RuntimeException e) {
            tell(e);
            trace.add("got " + nameOf(e));
        }
    }

    /** Another thread: shuts the program down, asks about it all the time, and tells of one that hangs. */
    private Thread watch(AsyncRuntime runtime) {
        long after = random.nextInt(16) * 500L;
        int way = random.nextInt(3);
        boolean asks = timed && random.nextInt(4) == 0;
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                if (kind == Kind.CUT && !runtime.awaitEnd(Duration.ofNanos(after * 1_000))) {
                    if (way != 1) runtime.shutdown(new AsyncCancellation("from outside"));
                    if (way != 0) runtime.shutdownNow(new AsyncCancellation("from outside, now"));
                }
                for (int i = 0; asks && i < 1_000 && !runtime.awaitEnd(Duration.ZERO); i++) {
                    runtime.dump();
                    runtime.stats();
                }
                if (runtime.awaitEnd(HANGS)) return;
                System.err.println(kind + " " + seed + " hangs");
                wrong.add("hangs: " + runtime.dump());
                runtime.shutdownNow(new AsyncCancellation("hangs"));
            } catch (Throwable e) {
                wrong.add("asked from outside: " + e);
            }
        });
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) wrong.add(otherwise);
    }

    /** Each error was told, to the program or in the end; at the head of a notice, or by the run, once. */
    private void checkTold(Throwable outcome, String notices) {
        tell(outcome);
        var heads = new BitSet();
        if (outcome instanceof Planned e) heads.set(e.number);
        PLANNED.matcher(notices).results().forEach(found -> {
            int error = Integer.parseInt(found.group(2));
            told.set(error);
            if (found.group(1) == null) return;
            check(!heads.get(error), "told twice in the end: " + error);
            heads.set(error);
        });
        for (int error = 1; error <= planned; error++) check(told.get(error), "nobody was told of error " + error);
    }

    private void checkLeft(AsyncRuntime runtime) {
        check(begun == ended, begun + " have begun, " + ended + " have ended");
        check(handlers == handlersRun, handlersRun + " of " + handlers + " handlers have run");
        check(coroutines.stream().allMatch(Coroutine::isCompleted), "a coroutine is not complete");
        check(runtime.survivors().isEmpty(), "survivors: " + runtime.survivors());
        if (mutex == null) return; // it was shut down before it began
        check(!mutex.isLocked() && !lock.isLocked() && semaphore.availablePermits() == PERMITS, "a lock is held");
        check(inFlight.size() == channel.size(), "sent and gone: " + inFlight + ", in the channel: " + channel.size());
    }

    private static String nameOf(Throwable e) {
        return e == null
                ? "ends"
                : e instanceof Planned ? e.getMessage() : e.getClass().getSimpleName();
    }

    /** The program has got this error, with all that hangs on it: a graph that may have circles. */
    private void tell(Throwable error) {
        tell(error, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private void tell(Throwable error, Set<Throwable> seen) {
        if (error == null || !seen.add(error)) return;
        switch (error) {
            case Planned e -> told.set(e.number);
            case CompositeException e -> e.exceptions().forEach(one -> tell(one, seen));
            case AsyncCancellation _, AsyncTimeoutException _, DeadlockError _, ChannelException _ -> {}
            case CompletionException _, ExecutionException _, InterruptedException _ -> {}
            // the executor, once the time for the end is over
            case RejectedExecutionException _ -> {}
            case AsyncException e when isRefusal(e) -> {}
            // where the coroutine was spawned, beside its error
            case Throwable e when e.getClass().getSimpleName().equals("SpawnTrace") -> {}
            default -> check(false, "not planned: " + error + " " + List.of(error.getStackTrace()));
        }
        tell(error.getCause(), seen);
        for (Throwable more : error.getSuppressed()) tell(more, seen);
    }

    /** What a program may do that has random coroutines cancel and wait for each other. */
    private static boolean isRefusal(AsyncException e) {
        String why = e.getMessage();
        return why.startsWith("can't spawn") || why.contains("would wait for itself") || why.contains("not reentrant");
    }

    /** The work of one coroutine. */
    private final class Member implements Task<Integer> {
        final int number = ++members;
        final int depth;
        final int scope;
        final boolean suppressed;
        Coroutine<?> self;

        /**
         * @param scope what its scope's context says
         * @param suppressed if nobody need be told of its errors
         */
        Member(int depth, int scope, boolean suppressed) {
            this.depth = depth;
            this.scope = scope;
            this.suppressed = suppressed;
        }

        @Override
        public Integer call() throws Exception {
            begun++;
            self = currentCoroutine();
            threads.add(Thread.currentThread());
            // an iteration may have one coroutine for several items
            check(coroutineContext().hasLocal(OWNER) == (LOCAL.get() != null), "another one's thread local");
            coroutineContext().replace(OWNER, number);
            LOCAL.set(number);
            Throwable failure = null;
            try {
                steps(1 + random.nextInt(6));
                return number;
            } catch (Throwable e) {
                failure = e;
                throw e;
            } finally {
                ended++;
                note(nameOf(failure));
                try {
                    if (random.nextInt(8) == 0) pause();
                } catch (AsyncCancellation e) {
                    if (failure == null) throw e;
                }
            }
        }

        private void note(String what) {
            trace.add(number + " " + what);
        }

        private void steps(int most) throws Exception {
            for (int i = 0; i < most && stepsLeft-- > 0; i++) {
                int step = random.nextInt(timed ? STEPS : STEPS_WITHOUT_TIME);
                note("does " + step);
                try {
                    step(depth >= DEEPEST && step <= LAST_THAT_SPAWNS ? 0 : step);
                } catch (OperationCanceledException | AsyncTimeoutException | AsyncException e) {
                    tell(e);
                    note("goes on after " + nameOf(e));
                } finally {
                    check(currentCoroutine() == self, "current coroutine of " + number);
                    check(coroutineContext().getLocal(OWNER) == number, "context of " + number);
                    check(LOCAL.get() == number, "thread local of " + number);
                    check(currentContext().get(SCOPE) == scope, "context of the scope of " + number);
                }
            }
        }

        private void step(int step) throws Exception {
            switch (step) {
                case 1, 2 -> join(child(), random.nextBoolean());
                case 3 -> child().cancel();
                case 4 -> awaitAll(children()).errors().values().forEach(RandomTree.this::tell);
                case 5 -> got(() -> awaitAnyOrFail(children()));
                case 6 -> scopeBlock();
                case 7 -> scopeThatIsLeft();
                case 8 -> group();
                case 9 -> got(this::iteration);
                case 10 -> coroutines.add(launch(member(scope)));
                case 11 -> {
                    // as long as somebody has the executor, nothing counts as a deadlock
                    if (kind != Kind.OPEN) executor().execute(() -> coroutines.add(launch(member(scope))));
                }
                case 12 -> protect(() -> steps(1 + random.nextInt(3)));
                case 13 -> fail(3);
                case 14 -> coroutines.get(random.nextInt(coroutines.size())).cancel();
                case 15 -> self.cancel();
                case 16 -> handler();
                case 17 -> inMutex();
                case 18 -> inSemaphore();
                case 19 -> send();
                case 20 -> receive();
                case 21 -> promise();
                case 22 -> delay(random.nextInt(4));
                case 23 -> Thread.sleep(random.nextInt(3));
                case 24, 25 -> withTimeout(millis(), () -> steps(1 + random.nextInt(3)));
                case 26 -> {
                    if (lock.tryLock(1, TimeUnit.MILLISECONDS)) inside(2, lock.getHoldCount(), lock::unlock);
                }
                case 27 -> threads.get(random.nextInt(threads.size())).interrupt();
                case 28 -> check(blocking(() -> number) == number, "value of a blocking call");
                case 29 -> fromAnotherThread();
                case 30 -> {
                    if (kind == Kind.CUT && random.nextInt(6) == 0) gracefulShutdown();
                }
                default -> suspend();
            }
        }

        private Member member(int itsScope) {
            return new Member(depth + 1, itsScope, false);
        }

        private Coroutine<Integer> child() {
            Coroutine<Integer> child = spawn(member(scope));
            coroutines.add(child);
            return child;
        }

        private List<Coroutine<Integer>> children() {
            var children = new ArrayList<Coroutine<Integer>>();
            for (int i = random.nextInt(4); i >= 0; i--) children.add(child());
            return children;
        }

        private void join(Coroutine<?> child, boolean atOnce) throws Exception {
            if (!atOnce) steps(1);
            got(() -> timed && random.nextInt(3) == 0 ? child.await(millis()) : await(child));
        }

        private void fail(int oneIn) {
            if (random.nextInt(oneIn) > 0) return;
            planned++;
            if (suppressed) told.set(planned);
            note("fails: " + planned);
            throw new Planned(planned);
        }

        private void scopeBlock() throws Exception {
            int inner = ++scopes;
            try (var made = random.nextBoolean() ? new Scope() : Scope.inherit()) {
                kept.add(made);
                made.context().set(SCOPE, inner);
                if (random.nextInt(4) == 0) made.setExceptionHandler((at, failed, error) -> tell(error));
                for (int i = random.nextInt(4); i >= 0; i--) coroutines.add(made.spawn(member(inner)));
                switch (random.nextInt(6)) {
                    case 0 -> made.cancel();
                    case 1 -> made.awaitCompletion();
                    case 2 -> fail(1);
                    case 3 -> steps(2);
                    case 4 -> pause();
                    default -> {}
                }
            } catch (AsyncCancellation e) {
                tell(e);
                throw e;
            } catch (RuntimeException e) {
                tell(e);
                note("scope " + inner + ": " + nameOf(e));
            }
        }

        private void scopeThatIsLeft() {
            int inner = ++scopes;
            Scope left = Scope.inherit().letRunOn();
            kept.add(left);
            left.context().set(SCOPE, inner);
            coroutines.add(left.spawn(member(inner)));
            if (random.nextBoolean()) left.disposeSafely();
            else left.dispose();
        }

        private void group() throws Exception {
            var group = new TaskGroup<Integer>(1 + random.nextInt(3));
            kept.add(group);
            boolean suppresses = random.nextBoolean();
            if (suppresses) group.suppressErrors();
            try {
                for (int i = random.nextInt(5); i >= 0; i--) {
                    var task = group.spawn(new Member(depth + 1, scope, suppresses));
                    if (random.nextInt(4) == 0) task.cancel();
                }
                int question = random.nextInt(5);
                if (question > 1) group.close();
                switch (question) {
                    case 0 -> got(() -> await(group.race()));
                    case 1 -> got(() -> await(group.any()));
                    case 2 -> got(() -> await(group.all()).size());
                    case 3 -> group.forEach(task -> tell(task.error()));
                    default -> group.awaitCompletion();
                }
            } finally {
                group.cancel();
            }
        }

        private Integer iteration() {
            var items = List.of(1, 2, 3, 4).subList(0, 1 + random.nextInt(4));
            boolean cancels = random.nextBoolean();
            iterate(items, item -> member(scope).call() != 0 && item < 3, 1 + random.nextInt(3), cancels);
            return items.size();
        }

        private void handler() {
            handlers++;
            self.onFinally(c -> {
                handlersRun++;
                fail(6);
            });
        }

        private void inMutex() throws Exception {
            if (kind == Kind.OPEN) mutex.lock();
            else if (timed ? !mutex.tryLock(millis()) : !mutex.tryLock()) return;
            inside(0, 1, mutex::unlock);
        }

        private void inSemaphore() throws Exception {
            if (kind == Kind.OPEN) semaphore.acquire();
            else if (timed ? !semaphore.tryAcquire(millis()) : !semaphore.tryAcquire()) return;
            inside(1, PERMITS, semaphore::release);
        }

        private void inside(int place, int most, Runnable leave) throws Exception {
            check(++inside[place] <= most, "too many in place " + place);
            try {
                steps(1);
            } finally {
                inside[place]--;
                leave.run();
            }
        }

        private void receive() {
            Integer value;
            if (kind == Kind.OPEN) value = channel.receive();
            else if (timed) value = channel.receive(millis());
            else value = channel.tryReceive().value();
            if (value != null) check(inFlight.remove(value), "received, and not sent: " + value);
        }

        private void send() {
            int value = ++values;
            inFlight.add(value);
            boolean sent = false;
            try {
                if (kind == Kind.OPEN) channel.send(value);
                else if (timed) channel.send(value, timeout(millis()));
                sent = kind == Kind.OPEN || timed || channel.trySend(value);
            } finally {
                if (!sent) check(inFlight.remove(value), "not sent, and received: " + value);
            }
        }

        private void promise() {
            if (promise.isCompleted()) {
                check(await(promise.future()) != 0, "value of a future");
                promise = new FutureState<Integer>().ignore();
            } else if (random.nextBoolean()) {
                promise.complete(number);
            } else if (kind == Kind.OPEN) {
                await(promise.future());
            } else if (timed) {
                await(promise.future(), timeout(millis()));
            }
        }

        private void fromAnotherThread() throws Exception {
            var answer = new CompletableFuture<Integer>();
            CompletableFuture.runAsync(() -> answer.complete(number));
            int value = random.nextBoolean() ? answer.get() : await(answer);
            check(value == number, "answer of another thread");
        }
    }
}
