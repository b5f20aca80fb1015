package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.*;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.spi.*;

/**
 * Every public method of every public type, called by reflection on eight threads that belong to no runtime while a
 * loop runs at full speed: each call answers or refuses, none crashes or hangs, and the loop's own work goes on
 * undisturbed. A new public type needs a place in one of the lists here.
 */
public abstract class EveryMethodConformance {
    private static final int THREADS = 8;
    private static final int ROUNDS = 3;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(90);

    /**
     * What reactors are made of: called by the runtime, on its loop, and by nobody else. Handles come from methods of a
     * reactor that are refused elsewhere; they are used at each read and write, and say whose they are by an assertion
     * only.
     */
    private static final Set<String> OF_REACTORS = Set.of(
            "ReactorProvider",
            "Resting",
            "ChildHandle",
            "FileHandle",
            "ListenHandle",
            "PollHandle",
            "ProcessorPin",
            "StreamHandle",
            "TcpHandle",
            "TerminalHandle",
            "UdpHandle",
            "WatchHandle",
            "LoopTrigger",
            "SourceEvent");

    /**
     * What the program implements, or asks only in callbacks: there is no object of ours behind it that a thread could
     * get hold of.
     */
    private static final Set<String> OF_PROGRAMS = Set.of(
            "Awaitable",
            "Body",
            "Task",
            "Section",
            "VoidSection",
            "CircuitBreaker",
            "CircuitBreakerStrategy",
            "Completable",
            "IterateAction",
            "PoolFunction",
            "PoolSection",
            "VoidPoolSection",
            "ScopeExceptionHandler",
            "ScopeProvider",
            "SpawnStrategy",
            "EventCallback",
            "ForeignCall",
            "NotifyHook",
            "PoolHooks",
            "ResumeCallback",
            "RunOrder",
            "SwitchHandler",
            "ByteStream",
            "Registration",
            "RuntimeMonitor",
            "Observer");

    /** A run of one's own on the calling thread; an observer, as it would be told of the runs of all later tests. */
    private static final Set<String> NOT_CALLED =
            Set.of("AsyncRuntime.run", "Builder.run", "Async.run", "RuntimeMonitor.watchAll");

    /**
     * What answers on every thread: it never changes, is a snapshot, makes something that refuses later, or is meant
     * for several threads.
     */
    static final Set<String> ANY_THREAD = Set.of(("""
        Async.availableParallelism Async.coroutines Async.cpuUsage Async.dump Async.lazily Async.loadAverage
        Async.remaining Async.runtime Async.runtimeStats AsyncFile.isClosed AsyncFileLock.file
        AsyncFileLock.isShared AsyncFileLock.isValid AsyncFileLock.position AsyncFileLock.size Barrier.arrivedCount
        Channel.builder Channel.capacity Channel.isClosed Channel.isEmpty Channel.isFull
        Channel.iterator Channel.publisher Channel.size Channel.stream ChildProcess.isAlive ChildProcess.pid
        ChildProcess.stderr ChildProcess.stdin ChildProcess.stdout ChildProcess.toHandle Context.find
        Context.findLocal Context.get ContextPropagator.callersText ContextPropagator.giveText Context.getLocal Context.has Context.hasLocal ContextKey.name ContextKey.named
        Coroutine.id Coroutine.isCancellationRequested Coroutine.isCancelled Coroutine.isCompleted Coroutine.isQueued
        Coroutine.isRunning Coroutine.isStarted Coroutine.isSuspended Coroutine.name Coroutine.spawnLocation
        Cores.builder Cores.count Cores.ownerOf CpuSnapshot.now CpuUsage.between Event.hasCallbacks Event.info Event.isActive Event.isClosed Event.isDisposed
        Event.isHidden FileSystemWatcher.builder FileSystemWatcher.isClosed FileSystemWatcher.iterator
        FileSystemWatcher.path Future.awaitingInfo Future.completedLocation Future.createdLocation Future.isCancelled
        Future.isCompleted
        FutureState.future FutureState.isCompleted Latch.count Mutex.isLocked Mutex.waitingCount PipeServer.isClosed
        PerCore.of PipeServer.path Pool.activeCount Pool.count Pool.event Pool.idleCount Pool.isClosed Pool.of Pool.state
        Pool.stats Pool.with RemoteFuture.* Scope.isCancelled Scope.isClosed
        Scope.isFinished Scope.name Scope.provideScope Select.of Semaphore.availablePermits Semaphore.refusedCount
        Semaphore.waitingCount
        SwitchHandlers.addToMainAtStart SystemError.of TaskGroup.builder TaskGroup.iterator TaskGroup.size
        TaskHandle.isCancelled TaskHandle.isCompleted TaskHandle.key TaskSet.builder TaskSet.iterator TaskSet.size
        TcpServer.isClosed TcpServer.localAddress TcpServer.port TcpStream.isClosed ThreadPool.builder
        ThreadPool.cancel ThreadPool.close ThreadPool.completedCount ThreadPool.isClosed ThreadPool.pendingCount
        ThreadPool.runningCount ThreadPool.workerCount ThreadTask.isCancelled ThreadTask.isCompleted
        ThreadTask.isRunning Timeout.isCancelled Timeout.isCompleted Timeout.length TimerEvent.hasCallbacks
        TimerEvent.info TimerEvent.isActive TimerEvent.isClosed TimerEvent.isDisposed TimerEvent.isHidden
        Timers.oneShot Timers.periodic TriggerEvent.hasCallbacks TriggerEvent.info TriggerEvent.isActive
        TriggerEvent.isClosed TriggerEvent.isDisposed TriggerEvent.isHidden TriggerEvent.trigger UdpSocket.isClosed
        UdpSocket.localAddress Waker.coroutine Waker.status Waker.triggeredEvents AsyncRuntime.* Builder.*
        ThreadChannel.* TlsOptions.* Exec.* Received.* Signal.of AwaitOption.values CircuitBreakerState.values
        CloseReason.values Signals.shutdownOn Redirect.values WakerStatus.values Signal.values Reactor.open Reactor.addressesOf Reactor.helpers Reactor.description Reactor.isTerminal Reactor.isTimeVirtual Reactor.timesJdkWaits Reactor.nanoTime
        Reactor.hasDescriptors AbstractReactor.hasDescriptors SchedulerProvider.giveContext SchedulerProvider.socketPolling SchedulerProvider.textOfContext
        Reactor.openHandles Reactor.trigger AbstractReactor.open AbstractReactor.description
        AbstractReactor.addressesOf AbstractReactor.helpers AbstractReactor.isTerminal AbstractReactor.isTimeVirtual AbstractReactor.timesJdkWaits AbstractReactor.nanoTime AbstractReactor.openHandles AbstractReactor.trigger
        ActiveEvents.count PollEvent.descriptor PollEvent.interest PollEvent.hasCallbacks PollEvent.info
        PollEvent.isActive PollEvent.isClosed PollEvent.isDisposed PollEvent.isHidden SchedulerProvider.get
        SchedulerProvider.addMainStartHandler TlsStream.applicationProtocol TlsStream.isClosed
        TlsStream.peerCertificates TlsStream.protocol TlsStream.session TlsStream.tcp
        """).strip().split("\\s+"));

    /**
     * What knows no runtime: it belongs to whoever made it, and the javadoc says so; a foreign call breaks nothing but
     * that thing itself.
     */
    private static final Set<String> OF_ITS_MAKER = Set.of(("""
        Event.removeCallback TimerEvent.removeCallback TriggerEvent.removeCallback Event.setHidden TimerEvent.setHidden TriggerEvent.setHidden Microtask.* GuardedCalls.* RecoveryStrategy.* Select.* SwitchHandlers.add
        PollEvent.removeCallback PollEvent.setHidden SchedulerProvider.addSwitchHandler
        """).strip().split("\\s+"));

    private final Map<Class<?>, @Nullable Object> made = new LinkedHashMap<>();
    private final javax.net.ssl.SSLContext tls;
    private final Process process;
    private final Set<String> returned = new ConcurrentSkipListSet<>();

    protected EveryMethodConformance() {
        try {
            tls = javax.net.ssl.SSLContext.getDefault();
            process = new ProcessBuilder("true").start();
        } catch (java.security.GeneralSecurityException | java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    /** One object of each type that a thread might get hold of, made on the loop. */
    private void make(Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        made.put(Coroutine.class, Async.spawn(() -> Async.delay(Duration.ofHours(1))));
        made.put(Scope.class, new Scope());
        made.put(Channel.class, new Channel<Object>(3));
        made.put(Channel.Builder.class, Channel.builder());
        made.put(Mutex.class, new Mutex());
        made.put(org.trueasync.Semaphore.class, new org.trueasync.Semaphore(2));
        made.put(Latch.class, new Latch(2));
        made.put(Barrier.class, new Barrier(2));
        made.put(Context.class, Async.currentCoroutine().context());
        made.put(ContextKey.class, ContextKey.named("key"));
        var state = new FutureState<Object>();
        made.put(FutureState.class, state);
        made.put(Future.class, state.future());
        made.put(RemoteFuture.class, new FutureState<Object>().handOver());
        var group = new TaskGroup<Object>();
        made.put(TaskGroup.class, group);
        made.put(TaskGroup.Builder.class, TaskGroup.builder());
        made.put(TaskSet.class, new TaskSet<Object>());
        made.put(TaskSet.Builder.class, TaskSet.builder());
        made.put(TaskHandle.class, group.spawn(() -> Async.delay(Duration.ofHours(1))));
        made.put(Timeout.class, Async.timeout(3_600_000));
        made.put(Select.class, Select.of());
        made.put(Pool.class, Pool.of(Object::new).max(2).build());
        made.put(Pool.Builder.class, Pool.of(Object::new));
        made.put(GuardedCalls.class, new GuardedCalls("guarded", RecoveryStrategy.consecutiveFailures(1_000_000)));
        made.put(RecoveryStrategy.class, RecoveryStrategy.consecutiveFailures(5));
        var closed = new ThreadChannel<Object>(1);
        closed.close(); // one that is open makes threads wait, as it is for
        made.put(ThreadChannel.class, closed);
        made.put(ThreadPool.class, new ThreadPool(1));
        made.put(ThreadPool.Builder.class, ThreadPool.builder());
        made.put(ThreadTask.class, Async.spawnThread(() -> Async.delay(Duration.ofHours(1))));
        Cores.builder().count(1).run(() -> {
            made.put(Cores.class, Cores.current());
        });
        made.put(Cores.Builder.class, Cores.builder());
        made.put(PerCore.class, PerCore.of(Object::new));
        made.put(AsyncRuntime.class, Async.runtime().build());
        made.put(AsyncRuntime.Builder.class, Async.runtime());
        made.put(AsyncFile.class, AsyncFile.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
        made.put(AsyncFileLock.class, ((AsyncFile) made.get(AsyncFile.class)).lock());
        TcpServer server = TcpServer.listen("127.0.0.1", 0);
        Coroutine<?> accepted = Async.spawn(() -> {
            server.accept();
            server.accept();
        });
        made.put(TcpServer.class, server);
        made.put(TcpStream.class, TcpStream.connect("127.0.0.1", server.port()));
        made.put(LineReader.class, ((TcpStream) made.get(TcpStream.class)).lines());
        made.put(Tty.class, terminal(TcpStream.connect("127.0.0.1", server.port())));
        Async.await(accepted);
        PipeServer pipes = PipeServer.listen(folder.resolve("socket"));
        Coroutine<Pipe> end = Async.spawn(() -> pipes.accept());
        made.put(PipeServer.class, pipes);
        made.put(Pipe.class, Pipe.connect(folder.resolve("socket")));
        Async.await(end);
        made.put(TlsOptions.class, TlsOptions.client(tls));
        made.put(TlsStream.class, TlsRuns.Pair.open().client());
        made.put(UdpSocket.class, UdpSocket.bind("127.0.0.1", 0));
        made.put(FileSystemWatcher.class, FileSystemWatcher.builder(folder).build());
        made.put(FileSystemWatcher.Builder.class, FileSystemWatcher.builder(folder));
        made.put(Interval.class, Interval.every(Duration.ofHours(1)));
        made.put(Exec.class, Exec.of("sleep", "100"));
        made.put(ChildProcess.class, Exec.of("sleep", "100").start());
        made.put(Event.class, Events.trigger());
        made.put(TriggerEvent.class, Events.trigger());
        TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofHours(1));
        made.put(TimerEvent.class, timer);
        made.put(Timers.class, SchedulerProvider.get().timers());
        made.put(PollEvent.class, Poll.watch(0, PollHandle.READABLE));
        made.put(SchedulerProvider.class, SchedulerProvider.get());
        made.put(ActiveEvents.class, SchedulerProvider.get().activeEvents());
        Reactor reactor = SchedulerProvider.get().reactor();
        made.put(Reactor.class, reactor);
        if (reactor instanceof AbstractReactor) made.put(AbstractReactor.class, reactor);
        made.put(Microtask.class, Microtask.of(() -> {}));
        var waker = new Waker[1];
        Async.spawn(() -> {
            waker[0] = Waker.current();
            waker[0].resumeWhen(timer, ResumeCallback.RESOLVE);
            waker[0].await();
        });
        Async.suspend();
        made.put(Waker.class, waker[0]);
    }

    /**
     * Its standard streams are no terminal: here it is over another stream. Whose thread it is comes first in each
     * method, so nothing gets as far as to see that.
     */
    private static Tty terminal(TcpStream stream) throws ReflectiveOperationException {
        Constructor<Tty> constructor = Tty.class.getDeclaredConstructor(StreamCore.class);
        constructor.setAccessible(true);
        return constructor.newInstance(stream.tcpCore());
    }

    @Test
    @Tag("K1")
    void everyMethod_onEightThreads_answersOrRefuses() throws Exception {
        Path folder = Files.createTempDirectory("every");
        List<Class<?>> types = new ArrayList<>(PublicTypes.all());
        types.addAll(PublicTypes.of(TcpStream.class, "org/trueasync/io"));
        var failures = new ConcurrentSkipListSet<String>();
        Runs.testRun().timeLimit(Duration.ofSeconds(110)).run(() -> {
            make(folder);
            List<Call> calls = calls(types, failures);
            var threads = new ArrayList<Caller>();
            for (int i = 0; i < THREADS; i++) threads.add(new Caller(calls, failures, i));
            var steps = new long[2];
            var channel = new Channel<Long>(1);
            Coroutine<?> receiver = Async.spawn(() -> {
                for (long value : channel) assertThat(value).isEqualTo(steps[1]++);
            });
            threads.forEach(Thread::start);
            long end = System.nanoTime() + TIME_LIMIT.toNanos();
            while (threads.stream().anyMatch(Thread::isAlive)) {
                channel.send(steps[0]++);
                if (steps[0] % 10_000 == 0) Async.delay(1);
                for (Caller caller : threads)
                    if (caller.isAlive() && System.nanoTime() > end)
                        throw new AssertionError(caller.now + " has not returned, " + List.of(caller.getStackTrace()));
            }
            channel.close();
            Async.await(receiver);
            assertThat(steps[1])
                    .as("what the loop did meanwhile")
                    .isEqualTo(steps[0])
                    .isGreaterThan(100);
            assertThat(((Coroutine<?>) made.get(Coroutine.class)).isCompleted())
                    .as("nobody was cancelled")
                    .isFalse();
            Async.gracefulShutdown();
        });
        assertThat(failures).as("neither an answer nor a refusal").isEmpty();
        assertThat(returned)
                .as("what refuses nobody, and is not among what any thread may ask")
                .isEmpty();
    }

    /**
     * A call of one method.
     *
     * @param mayAnswer whether it may return, instead of being refused
     * @param anyThread whether it must not be refused because of its thread
     */
    private record Call(
            String name,
            Method method,
            @Nullable Object target,
            boolean mayAnswer,
            boolean anyThread,
            @Nullable Object[] arguments) {

        /** True if it may fail in any way: threads that share it break it, by two that add to a list at once, say. */
        boolean mayBeBroken() {
            return mayAnswer && !anyThread;
        }
    }

    /** Belongs to no runtime. */
    private final class Caller extends Thread {
        private final List<Call> calls;
        private final Set<String> failures;
        volatile String now = "nothing";

        Caller(List<Call> calls, Set<String> failures, long seed) {
            this.calls = new ArrayList<>(calls);
            this.failures = failures;
            Collections.shuffle(this.calls, new Random(seed));
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int i = 0; i < ROUNDS; i++) for (Call call : calls) make(call);
            now = "the end";
        }

        private void make(Call call) {
            now = call.name;
            try {
                call.method.invoke(call.target, call.arguments.clone());
                if (!call.mayAnswer) returned.add(call.name);
            } catch (InvocationTargetException e) {
                if (call.anyThread && isOfThread(e.getCause()))
                    failures.add(call.name + " is for any thread, and refuses this one: " + e.getCause());
                else if (!isRefusal(e.getCause())
                        && !(call.mayAnswer && e.getCause() instanceof InputOutputException)
                        && !(call.mayBeBroken() && e.getCause() instanceof RuntimeException))
                    failures.add(call.name + ": " + e.getCause() + " at "
                            + List.of(e.getCause().getStackTrace())
                                    .subList(0, Math.min(4, e.getCause().getStackTrace().length)));
            } catch (Throwable e) {
                failures.add(call.name + " can't be called: " + e);
            }
        }
    }

    /** True if the call was refused because of the thread that it was made on. */
    private static boolean isOfThread(Throwable thrown) {
        return thrown instanceof AsyncException
                && Pattern.compile("but what it uses belongs to|used by '")
                        .matcher(String.valueOf(thrown.getMessage()))
                        .find();
    }

    private static boolean isRefusal(Throwable thrown) {
        return thrown instanceof AsyncException
                || thrown instanceof AsyncCancellation
                || thrown instanceof ThreadPoolException
                || thrown instanceof IllegalArgumentException
                || thrown instanceof IllegalStateException
                || thrown instanceof UnsupportedOperationException
                || thrown instanceof java.util.NoSuchElementException;
    }

    // ---- which types, which methods

    private List<Call> calls(List<Class<?>> types, Set<String> failures) {
        var calls = new ArrayList<Call>();
        for (Class<?> type : types) {
            String simple = type.getSimpleName();
            boolean handedOut = made.containsKey(type);
            if (!handedOut && OF_REACTORS.contains(simple)) continue;
            Object target = handedOut ? made.get(type) : OF_PROGRAMS.contains(simple) ? null : value(type);
            for (Method method : type.getMethods()) {
                String name = simple + "." + method.getName();
                boolean isStatic = Modifier.isStatic(method.getModifiers());
                boolean ofObject = method.getDeclaringClass() == Object.class;
                if (method.isBridge() || NOT_CALLED.contains(name)) continue;
                if (ofObject && !Set.of("toString", "hashCode", "equals").contains(method.getName())) continue;
                if (!ofObject && !method.getDeclaringClass().getName().startsWith("org.trueasync.")) continue;
                if (!isStatic && target == null) {
                    if (!OF_PROGRAMS.contains(simple) && !isStaticsOnly(type))
                        failures.add(type + " is in none of the lists");
                    continue;
                }
                method.setAccessible(true);
                Object[] arguments = new Object[method.getParameterCount()];
                for (int i = 0; i < arguments.length; i++) arguments[i] = value(method.getParameterTypes()[i]);
                boolean anyThread = !handedOut && !isStatic
                        || ofObject
                        || method.getName().equals("toString")
                        || ANY_THREAD.contains(simple + ".*")
                        || ANY_THREAD.contains(name);
                boolean mayAnswer = anyThread || OF_ITS_MAKER.contains(simple + ".*") || OF_ITS_MAKER.contains(name);
                calls.add(new Call(name, method, isStatic ? null : target, mayAnswer, anyThread, arguments));
            }
        }
        assertThat(calls).hasSizeGreaterThan(500);
        return calls;
    }

    private static boolean isStaticsOnly(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()))
                .allMatch(m -> Modifier.isStatic(m.getModifiers()));
    }

    // ---- arguments

    private @Nullable Object value(Class<?> type) {
        if (type == boolean.class) return true;
        if (type == int.class) return 1;
        if (type == long.class) return 1L;
        if (type == double.class) return 0.5;
        if (type == byte.class) return (byte) 1;
        if (type == char.class) return 'c';
        if (type == String.class || type == Object.class || type == CharSequence.class) return "text";
        if (type == Duration.class) return Duration.ofMillis(1);
        if (type == ByteBuffer.class) return ByteBuffer.allocate(8);
        if (type == Path.class) return Path.of("no", "such", "file");
        if (type == Class.class) return String.class;
        if (type == Throwable.class || type == Exception.class) return new IllegalStateException("an argument");
        if (type == AsyncCancellation.class) return new AsyncCancellation("an argument");
        if (type == InetAddress.class) return InetAddress.getLoopbackAddress();
        if (type == InetSocketAddress.class || type == java.net.SocketAddress.class)
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        if (type == CompletableFuture.class || type == CompletionStage.class)
            return CompletableFuture.completedFuture("done");
        if (type == Completable.class) return made.get(Timeout.class);
        if (type == Process.class) return process;
        if (type == java.nio.charset.CodingErrorAction.class) return java.nio.charset.CodingErrorAction.REPORT;
        if (type == java.io.IOException.class) return new java.io.IOException("an argument");
        if (type == java.io.InputStream.class) return new java.io.ByteArrayInputStream(new byte[3]);
        if (type == CircuitBreaker.class) return made.get(GuardedCalls.class);
        if (type == EventCallback.class) return new Deaf();
        if (type == javax.net.ssl.SSLContext.class) return tls;
        if (type == ProcessHandle.class) return ProcessHandle.current();
        if (type == Thread.class) return Thread.currentThread();
        if (type == java.nio.charset.Charset.class) return java.nio.charset.StandardCharsets.UTF_8;
        if (type == List.class || type == java.util.Collection.class || type == Iterable.class) return List.of();
        if (type == Map.class) return Map.of();
        if (type == Set.class) return Set.of();
        if (type.isArray()) return Array.newInstance(type.getComponentType(), 0);
        if (type.isEnum()) return type.getEnumConstants()[0];
        if (made.containsKey(type)) return made.get(type);
        if (type.isInterface())
            return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, this::answer);
        if (type.isRecord() || Throwable.class.isAssignableFrom(type)) return constructed(type);
        return null;
    }

    private static final class Deaf extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {}
    }

    private @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "toString" -> "a proxy";
            case "hashCode" -> 1;
            case "equals" -> arguments != null && proxy == arguments[0];
            default ->
                method.getReturnType().isPrimitive() && method.getReturnType() != void.class
                        ? value(method.getReturnType())
                        : null;
        };
    }

    private @Nullable Object constructed(Class<?> type) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            try {
                constructor.setAccessible(true);
                return constructor.newInstance(Stream.of(constructor.getParameterTypes())
                        .map(this::value)
                        .toArray());
            } catch (ReflectiveOperationException | RuntimeException e) {
                // another one
            }
        }
        return null;
    }
}
