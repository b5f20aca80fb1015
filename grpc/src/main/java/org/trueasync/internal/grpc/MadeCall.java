package org.trueasync.internal.grpc;

import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Decompressor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.DnsException;
import org.trueasync.Future;
import org.trueasync.InputOutputException;
import org.trueasync.http.Headers;
import org.trueasync.http.HttpRequest;
import org.trueasync.http.HttpResponse;

/**
 * A call as its client makes it: a coroutine sends the request, reads the answer and calls the listener. If the client
 * sends a stream, the body of the request is written by a second one. Any thread may use it; what a coroutine of the
 * runtime sends waits for the server.
 */
public final class MadeCall<Q, A> extends ClientCall<Q, A> {
    private static final int READY_BYTES = 32 * 1024;
    private static final Duration NEAR = Duration.ofMillis(100);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ChannelSettings settings;
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final Outbox outbox;
    private final Context context = Context.current();
    private final Context.CancellationListener contextEnds;
    private final @Nullable Deadline deadline;
    /** The time that the caller has, which its own time limit ends. */
    private final @Nullable Deadline callers;

    private final @Nullable InOrder listeners;
    /** Woken by all that its coroutines may wait for. */
    private final Signal changes = new Signal();

    private final AtomicInteger demand = new AtomicInteger();
    private final Queue<ByteBuffer> messages = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final int readyBytes;
    private ClientCall.@Nullable Listener<A> listener;
    private Metadata headers = new Metadata();
    private @Nullable Compressor compressor;
    private volatile boolean compresses = true;
    private volatile boolean halfClosed;
    private volatile boolean wantsRoom;
    private volatile boolean closed;
    private @Nullable Coroutine<?> coroutine;
    private final CallerEnd callerEnd = new CallerEnd(() -> cancel("the caller was cancelled", null));
    private @Nullable Status cancelled;
    /** Why there was no connection when it was tried last. */
    private @Nullable RuntimeException unreachable;

    private @Nullable Tracers tracers;
    private Metadata trailers = new Metadata();

    public MadeCall(ChannelSettings settings, MethodDescriptor<Q, A> method, CallOptions options) {
        this.settings = settings;
        this.method = method;
        this.options = options;
        this.outbox = new Outbox(settings.loop(), settings.executor());
        this.contextEnds = ended -> cancel("the context was cancelled", ended.cancellationCause());
        Deadline ofOptions = options.getDeadline();
        Deadline ofContext = context.getDeadline();
        this.deadline =
                ofOptions == null || (ofContext != null && ofContext.isBefore(ofOptions)) ? ofContext : ofOptions;
        Duration left = Async.remaining();
        this.callers = left == null ? null : Deadline.after(left.toNanos(), TimeUnit.NANOSECONDS);
        Executor executor = options.getExecutor();
        this.listeners = executor == null ? null : new InOrder(executor);
        Integer threshold = options.getOnReadyThreshold();
        this.readyBytes = threshold == null ? READY_BYTES : threshold;
    }

    // ---- for the program

    @Override
    public void start(ClientCall.Listener<A> listening, Metadata metadata) {
        if (listener != null) throw new IllegalStateException("the call was started before");
        listener = listening;
        headers = metadata;
        String name = options.getCompressor();
        if (name != null) {
            Compressor found = settings.compressors().lookupCompressor(name);
            if (found == null) {
                cancelled = Status.INTERNAL.withDescription("no compressor is known by the name " + name);
                outbox.run(0, () -> close(Objects.requireNonNull(cancelled)));
                return;
            }
            compressor = found == Codec.Identity.NONE ? null : found;
        }
        context.addListener(contextEnds, Runnable::run);
        if (!method.getType().clientSendsOneMessage()) launch();
    }

    private void launch() {
        boolean isTaken = outbox.run(0, () -> {
            if (closed) return;
            Coroutine<?> made = Async.launch("gRPC " + method.getFullMethodName(), this::run);
            made.onFinally(c -> close(Status.CANCELLED.withDescription("the call was cancelled before it began")));
            coroutine = made;
            callerEnd.watch();
        });
        if (!isTaken) close(Status.UNAVAILABLE.withDescription("the run of the channel has ended"));
    }

    @Override
    public void request(int count) {
        if (count < 0) throw new IllegalArgumentException("count must be >= 0, got " + count);
        demand.addAndGet(count);
        changed();
    }

    private void changed() {
        outbox.run(0, changes::wake);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        Status status = Status.CANCELLED.withDescription(
                message != null
                        ? message
                        : cause != null ? "the call was cancelled: " + cause : "the call was cancelled");
        cancel(cause == null ? status : status.withCause(cause));
    }

    private void cancel(Status status) {
        outbox.run(0, () -> {
            if (closed || cancelled != null) return;
            cancelled = status;
            if (coroutine == null) close(status);
            else coroutine.cancel(new AsyncCancellation("the gRPC call was cancelled"));
        });
    }

    @Override
    public void halfClose() {
        if (halfClosed) throw new IllegalStateException("the call was half-closed before");
        halfClosed = true;
        if (method.getType().clientSendsOneMessage()) launch();
        else changed();
    }

    @Override
    public void sendMessage(Q message) {
        if (halfClosed) throw new IllegalStateException("the call was half-closed");
        if (closed) return;
        ByteBuffer packed;
        try {
            packed = MessageWriter.pack(method.streamRequest(message), compresses ? compressor : null);
            requireSize(packed.remaining() - MessageWriter.PREFIX);
        } catch (RuntimeException e) {
            cancel("Failed to stream message", e);
            return;
        }
        waiting.addAndGet(packed.remaining());
        messages.add(packed);
        changed();
        if (method.getType().clientSendsOneMessage() || !outbox.isHere()) return;
        while (waiting.get() >= readyBytes && !closed) changes.await();
    }

    private void requireSize(int size) {
        Integer most = options.getMaxOutboundMessageSize();
        if (most != null && size > most)
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("message too large " + size + " > " + most)
                    .asRuntimeException();
    }

    @Override
    public boolean isReady() {
        if (closed || coroutine == null) return false;
        if (waiting.get() < readyBytes) return true;
        wantsRoom = true;
        return false;
    }

    @Override
    public void setMessageCompression(boolean on) {
        compresses = on;
    }

    // ---- its coroutine

    private void run() {
        Status status;
        Duration limit = left(deadline);
        Duration of = left(callers);
        boolean isOfCaller = of != null && (limit == null || of.compareTo(limit) < 0);
        // later than the caller's own limit, of which the caller shall hear
        if (of != null && isOfCaller) limit = of.isPositive() ? of.plus(NEAR).plus(NEAR) : of;
        Context before = context.attach();
        try {
            if (limit != null && !limit.isPositive()) {
                if (isOfCaller) Async.delay(NEAR); // its own limit ends the caller's wait first
                status = Status.DEADLINE_EXCEEDED.withDescription(
                        "ClientCall started after CallOptions deadline was exceeded " + seconds(limit.negated())
                                + " ago");
            } else if (limit == null) status = exchange();
            else status = Async.withTimeout(limit, this::exchange);
        } catch (AsyncTimeoutException e) {
            String time = limit == null ? "0s" : seconds(limit);
            status = late(
                    isOfCaller
                            ? "the time limit around the call is over"
                            : "CallOptions deadline exceeded after " + time + ". [" + unfinished() + "]");
        } catch (Throwable e) {
            Duration left = left(deadline);
            boolean isLate = left != null && !left.isPositive();
            if (cancelled != null) status = cancelled;
            else if (isLate && !(e instanceof AsyncCancellation))
                status = late("ClientCall was cancelled at or after deadline. " + e.getMessage());
            else status = Statuses.of(e);
            if (e instanceof VirtualMachineError bad) {
                close(status);
                throw bad;
            }
        } finally {
            context.detach(before);
        }
        Status end = status;
        Async.protect(() -> close(end));
    }

    private String unfinished() {
        return unreachable == null
                ? "the server has not ended the call"
                : "there is no connection: " + unreachable.getMessage();
    }

    private static @Nullable Duration left(@Nullable Deadline deadline) {
        return deadline == null ? null : Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.9fs", time.toNanos() / 1e9);
    }

    private static Status late(String text) {
        return Status.DEADLINE_EXCEEDED.withDescription(text);
    }

    private Status exchange() throws IOException {
        HttpRequest request = settings.client().request("POST", settings.origin() + '/' + method.getFullMethodName());
        request.header("content-type", ServedCall.TYPE).header("te", "trailers").header("user-agent", "grpc-trueasync");
        if (options.getAuthority() != null) request.header("host", options.getAuthority());
        if (compressor != null) request.header("grpc-encoding", compressor.getMessageEncoding());
        request.header(
                "grpc-accept-encoding",
                String.join(",", settings.decompressors().getAdvertisedMessageEncodings()));
        CallCredentials credentials = options.getCredentials();
        if (credentials != null)
            headers.merge(Future.from(new Applied(credentials).metadata).await());
        MetadataFields.each(headers, request.headers()::add);
        tracers().tell(ClientStreamTracer::outboundHeaders);
        if (method.getType().clientSendsOneMessage()) request.body(whole());
        else {
            request.body(this::write);
            tell(to -> to.onReady());
        }
        Status status;
        try (HttpResponse response = send(request)) {
            status = read(response);
        }
        Duration left = left(callers);
        // the server's clock may be a moment ahead: the caller shall hear of its own limit
        if (left != null && left.compareTo(NEAR) < 0 && status.getCode() == Status.Code.DEADLINE_EXCEEDED)
            Async.delay(NEAR);
        return status;
    }

    private byte[] whole() {
        ByteBuffer message = messages.poll();
        if (message == null) return new byte[0];
        tracers().sent(message.remaining());
        byte[] all = message.array();
        int from = message.arrayOffset();
        return all.length == message.remaining() ? all : Arrays.copyOfRange(all, from, from + message.remaining());
    }

    /** Sends; waits for a server that can't be reached, if the call shall do so. */
    private HttpResponse send(HttpRequest request) {
        Duration pause = FIRST_PAUSE;
        while (true) {
            Duration left = left(deadline);
            Duration of = left(callers);
            if (left == null || (of != null && of.compareTo(left) < 0)) left = of;
            if (left != null) request.header("grpc-timeout", Timeouts.format(left));
            try {
                HttpResponse response = request.send();
                unreachable = null;
                return response;
            } catch (InputOutputException | DnsException e) {
                if (!options.isWaitForReady() || !Statuses.isUnreachable(e)) throw e;
                unreachable = e;
            } catch (IllegalStateException e) {
                throw Status.UNAVAILABLE
                        .withDescription("the channel was closed")
                        .asRuntimeException();
            }
            Async.delay(pause);
            pause = pause.multipliedBy(2);
            if (pause.compareTo(LONGEST_PAUSE) > 0) pause = LONGEST_PAUSE;
        }
    }

    private Status read(HttpResponse response) throws IOException {
        Status other = Statuses.ofHttp(response);
        if (other != null) return other;
        Headers fields = response.headers();
        if (fields.has("grpc-status")) {
            trailers = MetadataFields.of(fields);
            return Statuses.of(fields);
        }
        Metadata head = MetadataFields.of(fields);
        tracers().tell(each -> each.inboundHeaders(head));
        tell(to -> to.onHeaders(head));
        Integer most = options.getMaxInboundMessageSize();
        var reader = new MessageReader(
                response.inputStream(), most == null ? settings.maxMessageBytes() : most, decompressor(fields));
        while (reader.next()) {
            while (demand.get() == 0) changes.await();
            demand.decrementAndGet();
            byte[] message = reader.message();
            tracers().read(message.length);
            tell(to -> to.onMessage(method.parseResponse(MessageReader.stream(message))));
        }
        trailers = MetadataFields.of(response.trailers());
        return Statuses.of(response.trailers());
    }

    private Tracers tracers() {
        if (tracers == null) tracers = new Tracers(options, headers);
        return tracers;
    }

    private @Nullable Decompressor decompressor(Headers fields) {
        String name = fields.get("grpc-encoding");
        if (name == null) return null;
        Decompressor found = settings.decompressors().lookupDecompressor(name);
        if (found == null)
            throw Status.INTERNAL
                    .withDescription("Can't find decompressor for " + name)
                    .asRuntimeException();
        return found == Codec.Identity.NONE ? null : found;
    }

    /** Writes what the client sends; in the coroutine of the request's body. */
    private void write(OutputStream out) throws IOException {
        while (true) {
            ByteBuffer message = messages.poll();
            if (message != null) {
                int size = message.remaining();
                out.write(message.array(), message.arrayOffset(), size);
                if (messages.isEmpty()) out.flush();
                tracers().sent(size);
                waiting.addAndGet(-size);
                changes.wake();
                if (!wantsRoom || waiting.get() >= readyBytes) continue;
                wantsRoom = false;
                tell(to -> to.onReady());
            } else if (halfClosed) return;
            else changes.await();
        }
    }

    // ---- the listener

    private interface Event<A> {
        void tell(ClientCall.Listener<A> listener);
    }

    private void tell(Event<A> event) {
        ClientCall.Listener<A> to = Objects.requireNonNull(listener);
        if (listeners == null) {
            try {
                event.tell(to);
            } catch (RuntimeException e) {
                throw failed(e).asRuntimeException();
            }
            return;
        }
        boolean isTaken = listeners.add(() -> {
            Context before = context.attach();
            try {
                event.tell(to);
            } catch (Throwable e) {
                cancel(failed(e));
            } finally {
                context.detach(before);
            }
        });
        if (!isTaken) cancel("the executor takes no more", null);
    }

    private static Status failed(Throwable error) {
        return Status.CANCELLED.withDescription("Failed to read message.").withCause(error);
    }

    private void close(Status status) {
        if (closed) return;
        closed = true;
        context.removeListener(contextEnds);
        callerEnd.forget();
        changes.wake();
        Metadata last = trailers;
        tracers().tell(each -> {
            each.inboundTrailers(last);
            each.streamClosed(status);
        });
        tell(to -> to.onClose(status, last));
    }

    /** What the program's credentials add, which may come from another thread. */
    private final class Applied extends CallCredentials.MetadataApplier {
        final CompletableFuture<Metadata> metadata = new CompletableFuture<>();

        Applied(CallCredentials credentials) {
            credentials.applyRequestMetadata(new InfoOfCall(), settings.executor(), this);
        }

        @Override
        public void apply(Metadata added) {
            metadata.complete(added);
        }

        @Override
        public void fail(Status status) {
            metadata.completeExceptionally(status.asRuntimeException());
        }
    }

    private final class InfoOfCall extends CallCredentials.RequestInfo {
        @Override
        public MethodDescriptor<?, ?> getMethodDescriptor() {
            return method;
        }

        @Override
        public CallOptions getCallOptions() {
            return options;
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return settings.isSecure() ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE;
        }

        @Override
        public String getAuthority() {
            String named = options.getAuthority();
            return named == null ? settings.authority() : named;
        }

        @Override
        public Attributes getTransportAttrs() {
            return Attributes.EMPTY;
        }
    }
}
