package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;
import org.trueasync.spi.WatchHandle;

/**
 * A {@link VirtualReactor} with handles that do what a test says. What a test has happen is told to the listeners in
 * the next turn, as a reactor does it; with a {@link Chance} in a later turn, in any order that keeps the order of each
 * handle.
 */
public final class ScriptedReactor extends VirtualReactor {
    private final Map<Object, ArrayDeque<Runnable>> happened = new IdentityHashMap<>();
    private final List<ScriptedStream> streams = new ArrayList<>();
    private final List<ScriptedListener> listeners = new ArrayList<>();
    private final List<ScriptedPoll> polls = new ArrayList<>();
    private final List<ScriptedWatch> watches = new ArrayList<>();
    private @Nullable InputOutputException noMoreWatches;

    /** A reactor without handles, whose time is 0. */
    public ScriptedReactor() {}

    /**
     * A reactor without handles, whose time is 0.
     *
     * @param seed of its random numbers
     * @param chance what decides when things happen; null for the next turn
     * @param trace gets what happens; null: nobody asks
     */
    public ScriptedReactor(long seed, @Nullable Chance chance, @Nullable Trace trace) {
        super(seed, chance, trace);
    }

    /** Has something told, after what the same handle was to be told before. */
    void happens(Object handle, Runnable event) {
        ArrayDeque<Runnable> line = happened.computeIfAbsent(handle, h -> new ArrayDeque<>());
        line.add(event);
        expect(() -> {
            note("something happens to", handle, "");
            line.remove().run();
        });
    }

    /** The streams, in the order in which they were made. */
    public List<ScriptedStream> streams() {
        return streams;
    }

    /** The listeners, in the order in which they were made. */
    public List<ScriptedListener> listeners() {
        return listeners;
    }

    /** The polls, in the order in which they were made. */
    public List<ScriptedPoll> polls() {
        return polls;
    }

    /** The watches, in the order in which they were made. */
    public List<ScriptedWatch> watches() {
        return watches;
    }

    /**
     * From now on no folder can be watched.
     *
     * @param error why
     */
    public void refuseWatches(InputOutputException error) {
        noMoreWatches = error;
    }

    ScriptedStream stream(StreamHandle.Listener listener, InetSocketAddress remote) {
        var stream = new ScriptedStream(this, listener, remote);
        streams.add(stream);
        return stream;
    }

    @Override
    public String description() {
        return "scripted, in virtual time";
    }

    @Override
    public PollHandle poll(int descriptor, PollHandle.Listener listener) {
        var poll = new ScriptedPoll(this, listener);
        polls.add(poll);
        return poll;
    }

    @Override
    public ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        var listening = new ScriptedListener(this, local, listener);
        listeners.add(listening);
        return listening;
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        ScriptedStream stream = stream(listener, remote);
        happens(stream, () -> listener.onConnected(null));
        return stream;
    }

    @Override
    public WatchHandle watch(Path path, WatchHandle.Listener listener) {
        if (noMoreWatches != null) throw noMoreWatches;
        var watch = new ScriptedWatch(this, path, listener);
        watches.add(watch);
        return watch;
    }

    @Override
    public void close() {
        streams.forEach(ScriptedStream::close);
        listeners.forEach(ScriptedListener::close);
        watches.forEach(ScriptedWatch::close);
        super.close();
    }
}
