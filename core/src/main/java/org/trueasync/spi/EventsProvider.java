package org.trueasync.spi;

import java.net.InetAddress;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trueasync.io.Exec;
import org.trueasync.io.Signal;

/**
 * What is behind {@link Events}. There is one provider, in {@code core}; it is found by {@link ServiceLoader} so that this package need not know it.
 *
 * <p>Loop thread only.
 */
public interface EventsProvider {
    /** See {@link Events#signal}. */
    SourceEvent signal(Signal signal);

    /** See {@link Events#process(ProcessHandle)}. */
    SourceEvent process(ProcessHandle process, @Nullable Process child);

    /** See {@link Events#thread}. */
    SourceEvent thread(Thread thread);

    /** See {@link Events#exec}. */
    SourceEvent exec(Exec command);

    /** See {@link Events#dns}. */
    SourceEvent dns(String host);

    /** See {@link Events#reverse}. */
    SourceEvent reverse(InetAddress address);

    /** See {@link Events#trigger}. */
    TriggerEvent trigger();
}
