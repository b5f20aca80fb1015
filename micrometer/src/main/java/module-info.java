/** Binds the figures of runtimes, pools, semaphores, HTTP servers and clients to Micrometer's registries. */
module org.trueasync.micrometer {
    requires transitive micrometer.core;
    requires transitive org.trueasync;
    requires static transitive org.trueasync.http;
    requires static transitive org.jspecify;

    exports org.trueasync.micrometer;
}
