package org.trueasync.internal.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.InputOutputException;
import org.trueasync.http.Exchange;

/**
 * Serves a call, in the coroutine of its request: all methods of the listener are called in it. Where the client sends
 * a stream, a second coroutine reads, as the service may end the call while nothing comes.
 */
public final class CallServer<Q, A> {
    private static final Status UNKNOWN = Status.UNKNOWN.withDescription("the service failed to handle this call");

    private final Exchange exchange;
    private final GrpcSettings settings;
    private final ServerMethodDefinition<Q, A> definition;
    private final MethodDescriptor<Q, A> method;
    private final ServedCall<Q, A> call;
    private final Queue<byte[]> messages = new ArrayDeque<>();
    private ServerCall.@Nullable Listener<Q> listener;
    private @Nullable MessageReader reader;
    private boolean hasReader;
    /** The begin of a message has come; it is looked for, as the end is, whether the service takes one or not. */
    private boolean begun;

    private boolean inputEnded;
    private boolean toldHalfClose;
    private boolean ready = true;
    /** The deadline has passed before the call has ended, or begun. */
    private boolean late;

    /** Why no more can be read. */
    private @Nullable Throwable failure;

    private CallServer(GrpcSettings settings, Exchange exchange, ServerMethodDefinition<Q, A> definition) {
        this.exchange = exchange;
        this.settings = settings;
        this.definition = definition;
        this.method = definition.getMethodDescriptor();
        this.call = new ServedCall<>(settings, exchange, method);
    }

    /** Serves a call to its end. Throws what the service has thrown, unless it tells a status. */
    public static <Q, A> void serve(GrpcSettings settings, Exchange exchange, ServerMethodDefinition<Q, A> method)
            throws Exception {
        exchange.duplex();
        new CallServer<>(settings, exchange, method).run();
    }

    /** Answers with a status alone. */
    public static void refuse(Exchange exchange, Status status) {
        ServedCall.refuse(exchange, status, new Metadata());
    }

    private void run() throws Exception {
        Metadata headers;
        Duration limit;
        try {
            headers = MetadataFields.of(exchange.headers());
            String timeout = exchange.header("grpc-timeout");
            limit = timeout == null ? null : Timeouts.parse(timeout);
            reader = new MessageReader(exchange.inputStream(), settings.maxMessageBytes(), call.decompressor());
        } catch (RuntimeException e) {
            Status status = Status.fromThrowable(e);
            if (status.getCode() == Status.Code.UNKNOWN) throw e;
            refuse(exchange, status);
            return;
        }
        Context.CancellableContext context = limit == null
                ? settings.context().withCancellation()
                : settings.context()
                        .withDeadline(Deadline.after(limit.toNanos(), TimeUnit.NANOSECONDS), NoTimer.INSTANCE);
        Context before = context.attach();
        late = limit != null;
        try {
            if (limit == null) listen(headers);
            else Async.withTimeout(limit, () -> listen(headers));
            context.cancel(null);
        } catch (Throwable e) {
            boolean isTold = Async.protect(() -> failed(e, context));
            if (!isTold) throw e;
        } finally {
            context.detach(before);
        }
    }

    private void listen(Metadata headers) throws Exception {
        late = false;
        try {
            ServerCall.Listener<Q> listening = definition.getServerCallHandler().startCall(call, headers);
            listener = listening;
            while (!call.isClosed()) next(listening);
            listening.onComplete();
        } catch (Throwable e) {
            late = Duration.ZERO.equals(Async.remaining());
            throw e;
        }
    }

    /** Tells the listener what is next, or waits for it. */
    private void next(ServerCall.Listener<Q> listening) throws Exception {
        byte[] message;
        if (ready) {
            ready = false;
            listening.onReady();
        } else if ((message = messages.poll()) != null) {
            listening.onMessage(method.parseRequest(MessageReader.stream(message)));
        } else if (inputEnded && !toldHalfClose) {
            toldHalfClose = true;
            listening.onHalfClose();
        } else if (failure != null) {
            throw rethrown(failure);
        } else if (method.getType().clientSendsOneMessage() && !inputEnded && mayRead()) {
            // the service answers what it has not got only if it is about to end the call
            read();
        } else {
            start();
            call.changes.await();
        }
    }

    /** Begins what has to wait beside the listener. */
    private void start() {
        if (call.takeWantsRoom()) Async.launch("gRPC: waits for room", this::awaitRoom);
        if (hasReader || method.getType().clientSendsOneMessage()) return;
        hasReader = true;
        Async.launch("gRPC: reads messages", this::readAll);
    }

    private void awaitRoom() {
        try {
            call.awaitRoom();
        } catch (InputOutputException | IllegalStateException e) {
            return; // the client has gone, or the call is over: the listener is told of that
        }
        ready = true;
        call.changes.wake();
    }

    private void readAll() {
        try {
            while (!inputEnded) {
                while (!mayRead()) call.changes.await();
                read();
                call.changes.wake();
            }
        } catch (AsyncCancellation e) {
            throw e;
        } catch (Throwable e) {
            failure = e;
            call.changes.wake();
        }
    }

    private boolean mayRead() {
        return !begun || call.demand.get() > 0;
    }

    private void read() throws IOException {
        MessageReader from = Objects.requireNonNull(reader);
        if (!begun) {
            begun = from.next();
            inputEnded = !begun;
        } else {
            call.demand.decrementAndGet();
            begun = false;
            messages.add(from.message());
        }
    }

    /** Ends a call that did not end by itself; returns whether nobody else needs to hear of the error. */
    private boolean failed(Throwable error, Context.CancellableContext context) {
        Status status = late ? Status.DEADLINE_EXCEEDED.withDescription("the deadline has passed here") : status(error);
        boolean isKnown = late || status != UNKNOWN;
        if (!call.isClosed() && !call.isCancelled()) {
            Metadata trailers = isKnown ? Status.trailersFromThrowable(error) : null;
            try {
                call.close(status, trailers == null ? new Metadata() : trailers);
            } catch (IllegalStateException e) {
                // the service has closed it already
            }
        }
        call.cancelled();
        context.cancel(late ? new TimeoutException("context timed out") : error);
        if (listener != null) listener.onCancel();
        return isKnown;
    }

    private static Status status(Throwable error) {
        if (error instanceof StatusRuntimeException e) return e.getStatus();
        if (error instanceof StatusException e) return e.getStatus();
        if (error instanceof AsyncCancellation e)
            return Status.UNAVAILABLE.withDescription("the call was cancelled at the server: " + e.getMessage());
        return UNKNOWN;
    }

    private static Exception rethrown(Throwable error) {
        if (error instanceof Error e) throw e;
        return (Exception) error;
    }
}
