/** What a program depends on: the API, what watches its runs, and the reactors that may serve it. */
module org.trueasync.library {
    requires static java.instrument;
    requires static transitive org.jspecify;
    requires transitive org.trueasync;
    requires transitive org.trueasync.io;
    requires org.trueasync.diagnostics;
    requires org.trueasync.reactor.libuv;
    requires org.trueasync.reactor.nio;
}
