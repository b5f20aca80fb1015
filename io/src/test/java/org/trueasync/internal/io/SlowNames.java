package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Another provider beside ours: for names under {@code slow.test} it answers when a test says so, for all others at
 * once.
 */
public final class SlowNames extends InetAddressResolverProvider {
    static final Semaphore ANSWERS = new Semaphore(0);

    /** For {@link java.util.ServiceLoader}. */
    public SlowNames() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (!host.endsWith(".slow.test")) return usual.lookupByName(host, policy);
                ANSWERS.acquireUninterruptibly();
                return Stream.of(InetAddress.getByAddress(host, new byte[] {10, 1, 2, 3}));
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                if (address[0] != 10) return usual.lookupByAddress(address);
                ANSWERS.acquireUninterruptibly();
                return "some.slow.test";
            }
        };
    }

    @Override
    public String name() {
        return "slow";
    }
}
