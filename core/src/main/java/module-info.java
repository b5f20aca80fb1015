/**
 * Coroutines on one thread: the API, the I/O classes over it, and the SPI that reactors and extensions are written
 * against.
 */
module org.trueasync {
    requires static java.management;
    requires static jdk.jfr;
    requires static jdk.unsupported;
    requires static org.jspecify;

    exports org.trueasync;
    exports org.trueasync.io;
    exports org.trueasync.spi;

    uses java.net.spi.InetAddressResolverProvider;
    uses org.trueasync.spi.ContextPropagator;
    uses org.trueasync.spi.ReactorProvider;
    uses org.trueasync.spi.SchedulerProvider;

    provides java.net.spi.InetAddressResolverProvider with
            org.trueasync.internal.dns.ResolverProvider;
    provides org.trueasync.spi.SchedulerProvider with
            org.trueasync.internal.kernel.KernelProvider;
}
