package org.trueasync.internal.testkit;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A selector of a simulated host: a selection waits for its channels as their own calls would. Keys are looked at in
 * the order in which they were registered. Loop thread, but for {@link #wakeup} and the close.
 */
final class VirtualSelector extends AbstractSelector {
    private static final long NOW = -1;

    private final SocketWait wait;
    private final Set<VirtualKey> keys = new LinkedHashSet<>();
    private final Set<SelectionKey> selected = new LinkedHashSet<>();
    private final Set<SelectionKey> shownKeys = Collections.unmodifiableSet(keys);
    private final Set<SelectionKey> shownSelected = new Removable(selected);
    private volatile boolean awake;
    private volatile @Nullable Thread selecting;

    /** The selected keys: a user may remove some, and add none. */
    private static final class Removable extends AbstractSet<SelectionKey> {
        private final Set<SelectionKey> all;

        Removable(Set<SelectionKey> all) {
            this.all = all;
        }

        @Override
        public Iterator<SelectionKey> iterator() {
            return all.iterator();
        }

        @Override
        public int size() {
            return all.size();
        }

        @Override
        public boolean contains(Object key) {
            return all.contains(key);
        }

        @Override
        public boolean remove(Object key) {
            return all.remove(key);
        }

        @Override
        public void clear() {
            all.clear();
        }
    }

    VirtualSelector(VirtualChannels provider, NetworkStack stack) {
        super(provider);
        wait = new SocketWait(stack);
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
        if (!(channel instanceof VirtualKey.Ready ready)) throw new IllegalSelectorException();
        var key = new VirtualKey(this, channel);
        key.interestOps(operations);
        key.attach(attachment);
        keys.add(key);
        ready.waiters().tell(wait);
        return key;
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return shownKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return shownSelected;
    }

    private void requireOpen() {
        if (!isOpen()) throw new ClosedSelectorException();
    }

    // ---- selecting

    @Override
    public int selectNow() {
        return choose(null, NOW);
    }

    @Override
    public int select() {
        return choose(null, Long.MAX_VALUE);
    }

    @Override
    public int select(long millis) {
        return choose(null, nanos(millis));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) {
        return choose(Objects.requireNonNull(action, "action"), NOW);
    }

    @Override
    public int select(Consumer<SelectionKey> action) {
        return choose(Objects.requireNonNull(action, "action"), Long.MAX_VALUE);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long millis) {
        return choose(Objects.requireNonNull(action, "action"), nanos(millis));
    }

    private static long nanos(long millis) {
        if (millis < 0) throw new IllegalArgumentException("the time must be >= 0 ms, got " + millis);
        return millis == 0 || millis > Long.MAX_VALUE / 1_000_000 ? Long.MAX_VALUE : millis * 1_000_000;
    }

    private int choose(@Nullable Consumer<SelectionKey> action, long nanos) {
        synchronized (this) {
            requireOpen();
            removeCancelled();
            if (nanos != NOW) {
                begin();
                selecting = Thread.currentThread();
                try {
                    wait.await(() -> awake || isAnyReady(), wait.after(nanos));
                } finally {
                    selecting = null;
                    end();
                }
            }
            awake = false;
            removeCancelled();
            return isOpen() ? take(action) : 0;
        }
    }

    private boolean isAnyReady() {
        boolean any = false;
        for (VirtualKey key : keys) any |= key.now() != 0; // all of them, as each has to wake this one
        return any;
    }

    private int take(@Nullable Consumer<SelectionKey> action) {
        int count = 0;
        for (VirtualKey key : List.copyOf(keys)) {
            int now = key.now();
            if (now == 0) continue;
            if (action != null) {
                key.isReadyFor(now, false);
                action.accept(key);
                requireOpen();
                count++;
            } else {
                boolean adds = !selected.add(key);
                if (key.isReadyFor(now, adds)) count++;
            }
        }
        return count;
    }

    private void removeCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) remove((VirtualKey) key);
            cancelled.clear();
        }
    }

    private void remove(VirtualKey key) {
        keys.remove(key);
        selected.remove(key);
        boolean again = false;
        for (VirtualKey other : keys) again |= other.channel() == key.channel();
        if (!again) key.side().waiters().tellNoMore(wait);
        deregister(key);
    }

    // ---- from any thread

    @Override
    public Selector wakeup() {
        awake = true;
        Thread waiting = selecting;
        if (waiting != null) LockSupport.unpark(waiting);
        return this;
    }

    @Override
    protected void implCloseSelector() {
        wakeup();
        synchronized (this) {
            for (VirtualKey key : List.copyOf(keys)) {
                remove(key);
                key.cancel();
            }
        }
    }
}
