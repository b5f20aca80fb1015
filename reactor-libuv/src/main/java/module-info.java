/** The reactor on libuv; the only module that calls native code. */
module org.trueasync.reactor.libuv {
    requires static org.jspecify;
    requires transitive org.trueasync;

    exports org.trueasync.reactor.libuv;

    provides org.trueasync.spi.ReactorProvider with
            org.trueasync.reactor.libuv.LibuvProvider;
}
