package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Another provider beside ours: for names under {@code slow.test} it answers when a test says so, for those of
 * {@link #hold} and their addresses once they are released, for all others at once.
 */
public final class SlowNames extends InetAddressResolverProvider {
    static final Semaphore ANSWERS = new Semaphore(0);

    private static final Map<String, Held> HELD = new ConcurrentHashMap<>();

    /** A name and its address, 127.1.x.y, that nobody is told of before the release. */
    public record Held(String host, InetAddress address, CountDownLatch released) {
        /** Has them answered from now on. */
        public void release() {
            released.countDown();
        }

        private void await() {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A new name. */
    public static Held hold() {
        int number = HELD.size() + 1;
        var held = new Held(
                "name" + number + ".held.test",
                InetAddress.ofLiteral("127.1." + (number >> 8) + "." + (number & 0xff)),
                new CountDownLatch(1));
        HELD.put(held.host, held);
        return held;
    }

    /** For {@link java.util.ServiceLoader}. */
    public SlowNames() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                Held held = HELD.get(host);
                if (held != null) {
                    held.await();
                    return Stream.of(held.address);
                }
                if (!host.endsWith(".slow.test")) return usual.lookupByName(host, policy);
                ANSWERS.acquireUninterruptibly();
                return Stream.of(InetAddress.getByAddress(host, new byte[] {10, 1, 2, 3}));
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                for (Held held : HELD.values()) {
                    if (!Arrays.equals(held.address.getAddress(), address)) continue;
                    held.await();
                    return held.host;
                }
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
