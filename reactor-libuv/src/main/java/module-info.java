/** The reactor on libuv. Of the modules that programs use, only this one calls native code. */
module org.trueasync.reactor.libuv {
    requires static transitive org.jspecify;
    requires transitive org.trueasync;

    exports org.trueasync.reactor.libuv;

    provides org.trueasync.spi.ReactorProvider with
            org.trueasync.reactor.libuv.LibuvProvider;
}
