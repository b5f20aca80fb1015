package org.trueasync.internal.foreign;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.Reactor;

/**
 * The watched descriptors of one runtime. A watch exists while at least one proxy is started. A {@link PollProxy} is
 * the event of one waiter. Loop thread only.
 */
public final class Watches {
    private final Reactor reactor;
    private final ActiveEvents activeEvents;
    private final Map<Integer, Watch> byDescriptor = new HashMap<>();

    /**
     * Makes an empty set of watches.
     *
     * @param reactor that watches
     * @param activeEvents counts the started proxies
     */
    public Watches(Reactor reactor, ActiveEvents activeEvents) {
        this.reactor = reactor;
        this.activeEvents = activeEvents;
    }

    /** See {@link org.trueasync.spi.Poll#watch(int, int, BooleanSupplier)}. */
    public PollEvent proxy(int descriptor, int interest, BooleanSupplier buffered) {
        return new PollProxy(this, activeEvents, descriptor, interest, buffered);
    }

    void join(PollProxy proxy) {
        Watch watch = byDescriptor.get(proxy.descriptor());
        boolean fresh = watch == null;
        if (watch == null) watch = new Watch(this, reactor, proxy.descriptor());
        if (fresh) byDescriptor.put(proxy.descriptor(), watch);
        watch.join(proxy);
    }

    void leave(PollProxy proxy) {
        Watch watch = byDescriptor.get(proxy.descriptor());
        if (watch != null) watch.leave(proxy);
    }

    void forget(int descriptor) {
        byDescriptor.remove(descriptor);
    }
}
