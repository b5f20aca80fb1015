package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.h2.ClientLink;
import org.trueasync.internal.http.h2.H2Client;
import org.trueasync.internal.http.h2.H2Limits;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.io.ByteStream;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/** A connection of HTTP/2, which many exchanges use. It is closed when the last of its places has left. */
final class SharedConnection implements ClientLink {
    private static final int MOST_STREAMS = 1024;
    private static final int STREAM_WINDOW = 256 * 1024;
    private static final int CONNECTION_WINDOW = 1024 * 1024;
    private static final int FREE_EVENTS = 2_000;
    /** How often it is looked at while nobody waits, so that pings are answered. */
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** How long a connection may be silent after a call was given up, before it counts as dead. */
    private static final long DOUBT_NANOS = 1_000_000_000;

    private final Loop loop;
    private final ByteStream stream;
    private final Duration limit;
    final H2Client frames;
    private final TimerEvent look;
    private boolean looking;
    private int places;
    private boolean used;
    private long lastRead;
    /** Since when nothing has come, while a sign of life was asked for; 0 if none was. */
    private long doubtful;

    SharedConnection(Loop loop, ClientSettings settings, ByteStream stream) {
        this.loop = loop;
        this.stream = stream;
        this.limit = settings.readTimeout;
        this.frames = new H2Client(
                this,
                new H2Limits(
                        settings.maxHeaderBytes,
                        MOST_STREAMS,
                        STREAM_WINDOW,
                        CONNECTION_WINDOW,
                        FREE_EVENTS,
                        0,
                        limit.toNanos()));
        this.look = loop.timers().periodic(LOOK);
        look.setHidden(true);
        look.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                if (looking) return;
                looking = true;
                loop.continueWith(SharedConnection.this::look);
            }
        });
    }

    /** Begins to speak HTTP/2. */
    void begin() {
        try {
            frames.begin();
            look.start();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void look() {
        looking = false;
        frames.poll();
    }

    // ---- places

    boolean hasRoom() {
        return frames.hasRoom(places);
    }

    void enter() {
        places++;
    }

    void leave() {
        if (--places == 0) frames.lose("it is not used any more");
    }

    /** True if further exchanges may begin, as far as can be known without a wait. */
    boolean isGood(long now) {
        frames.poll();
        return frames.hasRoom(places - 1) && (doubtful == 0 || now - doubtful < DOUBT_NANOS);
    }

    boolean isUsed() {
        return used;
    }

    void used() {
        used = true;
    }

    /** An exchange was given up which has begun at that time: if nothing has come since, the server is asked. */
    void wasGivenUp(long begun) {
        if (lastRead >= begun || doubtful != 0) return;
        doubtful = now();
        frames.ping();
    }

    /** Nothing has come for an exchange: if nothing at all has come, it is dead. */
    void isSilent(long nanos, String why) {
        if (now() - lastRead >= nanos) frames.lose(why);
    }

    // ---- for the frames

    @Override
    public int read(ByteBuffer into, Completable<?> token) {
        return came(stream.read(into, token));
    }

    @Override
    public int tryRead(ByteBuffer into) {
        return came(stream.tryRead(into));
    }

    private int came(int count) {
        if (count <= 0) return count;
        lastRead = now();
        doubtful = 0;
        return count;
    }

    @Override
    public void start(Runnable writing) {
        loop.continueWith(() -> Async.protect(writing::run));
    }

    @Override
    public void write(ByteBuffer bytes) {
        if (limit.isZero()) {
            stream.write(bytes);
            return;
        }
        try {
            stream.write(bytes, Async.timeout(limit));
        } catch (OperationCanceledException e) {
            throw new InputOutputException(
                    "the server has not taken what was sent for " + limit.toMillis() + " ms (readTimeout)",
                    "ETIMEDOUT");
        }
    }

    @Override
    public void close() {
        look.dispose();
        stream.close();
    }

    @Override
    public long now() {
        return loop.reactor().nanoTime();
    }
}
