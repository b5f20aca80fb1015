/** Streams, files, processes, signals and look-ups for coroutines. */
module org.trueasync.io {
    requires static jdk.unsupported;
    requires static transitive org.jspecify;
    requires transitive org.trueasync;

    exports org.trueasync.io;

    uses java.net.spi.InetAddressResolverProvider;

    provides java.net.spi.InetAddressResolverProvider with
            org.trueasync.internal.io.ResolverProvider;
    provides org.trueasync.internal.run.RunObserver with
            org.trueasync.internal.streams.JdkStreams;
}
