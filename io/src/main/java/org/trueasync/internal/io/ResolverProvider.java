package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Puts a detour into {@code InetAddress}. The resolver that {@code InetAddress} would have used without this class,
 * another provider's or the JDK's own, does the work; if a coroutine asks, on a helper thread. The JVM loads one
 * provider, the first on its path, at the first look-up of a name, and uses it in all threads.
 */
public final class ResolverProvider extends InetAddressResolverProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ResolverProvider() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        for (InetAddressResolverProvider other : ServiceLoader.load(InetAddressResolverProvider.class))
            if (!(other instanceof ResolverProvider)) return new Detour(other.get(configuration));
        return new Detour(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "trueasync";
    }

    /**
     * Makes look-ups without blocking the loop.
     *
     * @param real asked on a helper thread; directly by threads without a loop, and where the caller can't suspend
     */
    record Detour(InetAddressResolver real) implements InetAddressResolver {
        /*
         * A cancelled look-up throws the cancellation through InetAddress. InetAddress caches only answers and
         * UnknownHostExceptions, so the next look-up asks the resolver again. An UnknownHostException would be the
         * answer to all callers for ten seconds.
         */
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            // The stream may be lazy: it is read on the helper thread.
            List<InetAddress> found =
                    ask("look-up of host " + HostNames.shown(host), () -> real.lookupByName(host, policy)
                            .toList());
            return found.stream();
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            String text = InetAddress.getByAddress(address).getHostAddress();
            return ask("look-up of address " + text, () -> real.lookupByAddress(address));
        }

        private static <T> T ask(String what, Callable<T> question) throws UnknownHostException {
            try {
                return Lookups.offLoop(what, question);
            } catch (UnknownHostException thereAndNotHere) {
                var here = new UnknownHostException(thereAndNotHere.getMessage());
                here.initCause(thereAndNotHere);
                throw here;
            }
        }
    }
}
