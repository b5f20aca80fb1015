package org.trueasync.reactor.nio;

import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.WatchHandle;

/** A watched folder, or a file in its folder. */
final class NioWatch extends NioHandle implements WatchHandle {
    private final FolderWatches all;
    private final WatchKey key;
    private final Path path;
    private final @Nullable String file;
    private final Listener listener;

    /** A watch on a folder, or on the file of that name there. */
    NioWatch(NioReactor reactor, FolderWatches all, WatchKey key, Path path, @Nullable String file, Listener listener) {
        this.all = all;
        this.key = key;
        this.path = path;
        this.file = file;
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
        String name = String.valueOf(event.context());
        if (file != null && !file.equals(name)) return;
        boolean changed = event.kind() == StandardWatchEventKinds.ENTRY_MODIFY;
        listener.onChange(file == null ? name : null, !changed, changed);
    }

    /** The folder has gone, and the system has given the watch up. */
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
