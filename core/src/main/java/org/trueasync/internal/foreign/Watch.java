package org.trueasync.internal.foreign;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.PollException;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SystemError;

/**
 * One descriptor's watch. It watches for the union of its proxies' interests, and is updated when a proxy joins or
 * leaves.
 */
final class Watch implements PollHandle.Listener {
    private final Watches owner;
    private final int descriptor;
    private final PollHandle handle;
    private final List<PollProxy> proxies = new ArrayList<>(2);
    private int watched;
    private boolean closed;

    Watch(Watches owner, Reactor reactor, int descriptor) {
        this.owner = owner;
        this.descriptor = descriptor;
        this.handle = reactor.poll(descriptor, this);
    }

    void join(PollProxy proxy) {
        proxies.add(proxy);
        try {
            update();
        } catch (Throwable e) {
            leave(proxy);
            throw e;
        }
    }

    void leave(PollProxy proxy) {
        if (!proxies.remove(proxy) || closed) return;
        if (proxies.isEmpty()) close();
        else update();
    }

    private void update() {
        int union = 0;
        for (PollProxy proxy : proxies) union |= proxy.interest();
        if (union == watched) return;
        handle.watch(union);
        watched = union;
    }

    private void close() {
        closed = true;
        owner.forget(descriptor);
        handle.close();
    }

    @Override
    public void onReady(int ready) {
        boolean gone = (ready & PollHandle.DISCONNECT) != 0;
        for (PollProxy proxy : List.copyOf(proxies)) {
            if (proxies.contains(proxy) && (gone || (ready & proxy.interest()) != 0)) proxy.ready(ready);
        }
    }

    @Override
    public void onError(SystemError error) {
        var failure = new PollException("watch descriptor " + descriptor + ": " + error, error.errno());
        for (PollProxy proxy : List.copyOf(proxies)) if (proxies.contains(proxy)) proxy.failed(failure);
    }
}
