package org.trueasync.reactor.nio;

import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import org.trueasync.spi.WatchHandle;

/** A watched folder. */
final class NioWatch extends NioHandle implements WatchHandle {
    private final FolderWatches all;
    private final WatchKey key;
    private final Path path;
    private final Listener listener;

    /** Makes a watch on the folder of a key. */
    NioWatch(NioReactor reactor, FolderWatches all, WatchKey key, Path path, Listener listener) {
        this.all = all;
        this.key = key;
        this.path = path;
        this.listener = listener;
        super(reactor);
        reactor.opened(this);
    }

    void tell(WatchEvent<?> event) {
        if (isClosed()) return;
        if (event.kind() == StandardWatchEventKinds.OVERFLOW) {
            listener.onOverflow();
            return;
        }
        boolean changed = event.kind() == StandardWatchEventKinds.ENTRY_MODIFY;
        listener.onChange(String.valueOf(event.context()), !changed, changed);
    }

    /** Tells the listener that the folder is gone; the system has ended its watch. */
    void gone() {
        if (!isClosed()) listener.onChange(null, true, false);
    }

    @Override
    void release() {
        all.forget(this, key);
    }

    @Override
    public String toString() {
        return "watch of " + path + (isClosed() ? ", closed" : "");
    }
}
