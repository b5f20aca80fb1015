package org.trueasync.internal.grpc;

import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.Decompressor;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.http.Exchange;

/**
 * The side of a call that the service has. Any thread: what a coroutine of the call's runtime sends waits for the
 * client; what other threads send is handed over.
 */
final class ServedCall<Q, A> extends ServerCall<Q, A> {
    static final String TYPE = "application/grpc";
    private static final int READY_BYTES = 32 * 1024;

    private final GrpcSettings settings;
    private final Exchange exchange;
    private final MethodDescriptor<Q, A> method;
    private final Outbox outbox = new Outbox();
    /** Woken by all that its coroutine may wait for. */
    final Signal changes = new Signal();
    /** How many messages the service takes. */
    final AtomicInteger demand = new AtomicInteger();

    private @Nullable Compressor compressor;
    private boolean compresses = true;
    private boolean hasSentHeaders;
    private boolean hasSentMessage;
    private int readyBytes = READY_BYTES;
    private volatile boolean wantsRoom;
    private volatile boolean closing;
    /** The status was sent. */
    private volatile boolean closed;
    /** The client has gone, or the call was given up. */
    private volatile boolean cancelled;

    ServedCall(GrpcSettings settings, Exchange exchange, MethodDescriptor<Q, A> method) {
        this.settings = settings;
        this.exchange = exchange;
        this.method = method;
    }

    // ---- for its coroutine

    boolean isClosed() {
        return closed;
    }

    void cancelled() {
        cancelled = true;
    }

    /** True once if the service has found no room, and waits to be told when there is some. */
    boolean takeWantsRoom() {
        boolean wanted = wantsRoom;
        wantsRoom = false;
        return wanted;
    }

    /** Waits until the service may send more. */
    void awaitRoom() {
        while (!hasRoom()) {
            exchange.awaitWritable();
            if (outbox.waiting() >= readyBytes) changes.await();
        }
    }

    private void changed() {
        outbox.run(0, changes::wake);
    }

    // ---- for the service

    @Override
    public void request(int count) {
        if (count < 1) throw new IllegalArgumentException("count must be >= 1, got " + count);
        demand.addAndGet(count);
        changed();
    }

    @Override
    public void sendHeaders(Metadata headers) {
        if (hasSentHeaders) throw new IllegalStateException("the headers have been sent");
        if (closing) throw closedError();
        hasSentHeaders = true;
        String coding = coding();
        send(0, () -> {
            exchange.header("content-type", TYPE);
            if (coding != null) exchange.header("grpc-encoding", coding);
            accepts();
            MetadataFields.each(headers, exchange.responseHeaders()::add);
            exchange.write(ByteBuffer.allocate(0));
        });
    }

    /** Decides whether messages are compressed; returns how, or null. */
    private @Nullable String coding() {
        Compressor chosen = compressor;
        if (chosen == null) return null;
        String coding = chosen.getMessageEncoding();
        String accepted = exchange.header("grpc-accept-encoding");
        if (accepted != null
                && Arrays.stream(accepted.split(","))
                        .anyMatch(each -> each.strip().equals(coding))) return coding;
        compressor = null;
        return null;
    }

    private void accepts() {
        exchange.header(
                "grpc-accept-encoding",
                String.join(",", settings.decompressors().getAdvertisedMessageEncodings()));
    }

    @Override
    public void sendMessage(A message) {
        if (!hasSentHeaders) throw new IllegalStateException("the headers have not been sent");
        if (closing) throw closedError();
        if (hasSentMessage && method.getType().serverSendsOneMessage()) {
            close(Status.INTERNAL.withDescription("Too many responses"), new Metadata());
            return;
        }
        hasSentMessage = true;
        if (cancelled) return;
        ByteBuffer bytes = MessageWriter.pack(method.streamResponse(message), compresses ? compressor : null);
        send(bytes.remaining(), () -> exchange.write(bytes));
    }

    @Override
    public boolean isReady() {
        if (closing || cancelled) return false;
        if (hasRoom()) return true;
        wantsRoom = true;
        changed();
        return false;
    }

    private boolean hasRoom() {
        return outbox.waiting() < readyBytes && exchange.isWritable();
    }

    @Override
    public void setOnReadyThreshold(int bytes) {
        if (bytes < 1) throw new IllegalArgumentException("the threshold must be >= 1 byte, got " + bytes);
        readyBytes = bytes;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (closing) {
            if (cancelled) return;
            throw closedError();
        }
        closing = true;
        boolean isMissing = status.isOk() && method.getType().serverSendsOneMessage() && !hasSentMessage;
        Status sent = isMissing ? Status.INTERNAL.withDescription("Completed without a response") : status;
        boolean hasHead = hasSentHeaders;
        send(0, () -> {
            try {
                if (hasHead) end(sent, trailers);
                else refuse(exchange, sent, trailers);
            } finally {
                closed = true;
                changes.wake();
            }
        });
    }

    private void end(Status status, Metadata trailers) {
        exchange.trailer("grpc-status", Integer.toString(status.getCode().value()));
        if (status.getDescription() != null)
            exchange.trailer("grpc-message", StatusText.encode(status.getDescription()));
        MetadataFields.each(trailers, exchange::trailer);
        exchange.end();
    }

    /** Answers with a status alone. */
    static void refuse(Exchange exchange, Status status, Metadata trailers) {
        exchange.header("content-type", TYPE);
        exchange.header("grpc-status", Integer.toString(status.getCode().value()));
        if (status.getDescription() != null)
            exchange.header("grpc-message", StatusText.encode(status.getDescription()));
        MetadataFields.each(trailers, exchange.responseHeaders()::add);
        exchange.respond(200);
    }

    private void send(int bytes, Runnable action) {
        boolean isTaken = outbox.run(bytes, () -> {
            try {
                if (!cancelled) action.run();
            } catch (InputOutputException e) {
                cancelled = true; // the client has left
            }
            if (bytes > 0 && wantsRoom) changes.wake();
        });
        if (!isTaken) cancelled = true;
    }

    private static IllegalStateException closedError() {
        return new IllegalStateException("the call is closed");
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void setMessageCompression(boolean on) {
        compresses = on;
    }

    @Override
    public void setCompression(String name) {
        if (hasSentHeaders) throw new IllegalStateException("the headers have been sent");
        Compressor found = settings.compressors().lookupCompressor(name);
        if (found == null) throw new IllegalArgumentException("no compressor is known by the name " + name);
        compressor = found == Codec.Identity.NONE ? null : found;
    }

    /** What the client's messages are compressed with; null for nothing. */
    @Nullable
    Decompressor decompressor() {
        String name = exchange.header("grpc-encoding");
        if (name == null) return null;
        Decompressor found = settings.decompressors().lookupDecompressor(name);
        if (found != null) return found == Codec.Identity.NONE ? null : found;
        accepts();
        throw Status.UNIMPLEMENTED
                .withDescription("Can't find decompressor for " + name)
                .asRuntimeException();
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
        return method;
    }

    @Override
    public String getAuthority() {
        return exchange.host();
    }

    @Override
    public SecurityLevel getSecurityLevel() {
        return exchange.tlsSession() == null ? SecurityLevel.NONE : SecurityLevel.PRIVACY_AND_INTEGRITY;
    }

    @Override
    public Attributes getAttributes() {
        Attributes.Builder all = Attributes.newBuilder();
        SocketAddress remote = exchange.remoteAddress();
        if (remote != null) all.set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, remote);
        SocketAddress local = exchange.localAddress();
        if (local != null) all.set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, local);
        SSLSession session = exchange.tlsSession();
        if (session != null) all.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, session);
        return all.build();
    }
}
