/** The reactor on the JDK alone: for systems without libuv. */
module org.trueasync.reactor.nio {
    requires jdk.net;
    requires static transitive org.jspecify;
    requires transitive org.trueasync;

    exports org.trueasync.reactor.nio;

    provides org.trueasync.spi.ReactorProvider with
            org.trueasync.reactor.nio.NioProvider;
}
