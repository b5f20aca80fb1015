package org.trueasync.reactor.libuv;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;

/** Makes reactors on the system's libuv. */
public final class LibuvProvider implements ReactorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public LibuvProvider() {}

    @Override
    public String name() {
        return "libuv";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public @Nullable String unavailableBecause() {
        return UvLibrary.problem();
    }

    @Override
    public Reactor create() {
        String problem = UvLibrary.problem();
        if (problem != null) throw new AsyncException("no libuv reactor: " + problem);
        return new UvReactor();
    }

    @Override
    public @Nullable Runnable onThreadDump(Runnable action) {
        return UvLibrary.problem() == null ? QuitSignal.listen(action) : null;
    }
}
