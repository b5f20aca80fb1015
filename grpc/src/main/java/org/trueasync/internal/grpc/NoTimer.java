package org.trueasync.internal.grpc;

import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Schedules nothing. A context needs someone who cancels it at its deadline; here the time limit around the call does,
 * by the clock of the runtime, so that no other thread and no second timer is needed.
 */
final class NoTimer {
    static final ScheduledExecutorService INSTANCE = (ScheduledExecutorService) Proxy.newProxyInstance(
            NoTimer.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (proxy, method, arguments) -> null);

    private NoTimer() {}
}
