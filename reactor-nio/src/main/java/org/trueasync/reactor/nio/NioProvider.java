package org.trueasync.reactor.nio;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;

/**
 * Makes reactors on the JDK alone. They work everywhere, and are used where libuv can't be. What the JDK can't do:
 *
 * <ul>
 *   <li>poll bare descriptors ({@link Reactor#poll}): {@link UnsupportedOperationException};
 *   <li>set a terminal's raw mode, or tell its size: {@code ENOTSUP}, and null;
 *   <li>bind an IPv6 socket to {@code ::} that takes no IPv4: {@code ENOTSUP};
 *   <li>send an empty datagram from a connected socket: {@code ENOTSUP};
 *   <li>give a child a first argument that is not its path;
 *   <li>tell whether a signal other than SIGTERM and SIGKILL has reached a child: no error is returned;
 *   <li>tell a child that exits with 128 + n from one that signal n has killed: it looks killed.
 * </ul>
 */
public final class NioProvider implements ReactorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public NioProvider() {}

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public int priority() {
        return 10;
    }

    @Override
    public @Nullable String unavailableBecause() {
        return null;
    }

    @Override
    public Reactor create() {
        return new NioReactor();
    }
}
