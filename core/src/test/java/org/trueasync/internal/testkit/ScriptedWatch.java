package org.trueasync.internal.testkit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;

/** A watched folder in which happens what the test says. */
public final class ScriptedWatch implements WatchHandle {
    private final ScriptedReactor reactor;
    private final Path path;
    private final Listener listener;
    private boolean closed;

    ScriptedWatch(ScriptedReactor reactor, Path path, Listener listener) {
        this.reactor = reactor;
        this.path = path;
        this.listener = listener;
    }

    /** What is watched. */
    public Path path() {
        return path;
    }

    /**
     * Something changes, and is told in the next turn.
     *
     * @param name of the entry, null for the folder itself
     * @param renamed it comes or goes
     * @param changed its content changes
     */
    public ScriptedWatch tells(@Nullable String name, boolean renamed, boolean changed) {
        reactor.happens(this, () -> {
            if (!closed) listener.onChange(name, renamed, changed);
        });
        return this;
    }

    /**
     * An entry comes, which is told in the next turn.
     *
     * @param name of the entry
     */
    public ScriptedWatch comes(String name) {
        return tells(name, true, false);
    }

    /**
     * An entry changes, which is told in the next turn.
     *
     * @param name of the entry
     */
    public ScriptedWatch changes(String name) {
        return tells(name, false, true);
    }

    /** More happens than can be told, which is told in the next turn. */
    public ScriptedWatch overflows() {
        reactor.happens(this, listener::onOverflow);
        return this;
    }

    /**
     * The folder can't be watched any more, which is told in the next turn.
     *
     * @param error why
     */
    public void fails(SystemError error) {
        reactor.happens(this, () -> listener.onError(error));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }
}
