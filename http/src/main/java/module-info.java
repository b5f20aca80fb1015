/** An HTTP server and client for coroutines. */
module org.trueasync.http {
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.http2.common;
    requires org.eclipse.jetty.http2.hpack;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.util;
    requires static com.aayushatharva.brotli4j;
    requires static com.fasterxml.jackson.databind;
    requires static com.github.luben.zstd_jni;
    requires static com.google.gson;
    requires static jdk.httpserver;
    requires static transitive org.jspecify;
    requires static tools.jackson.databind;
    requires transitive org.trueasync;
    requires transitive org.trueasync.diagnostics;
    requires transitive org.trueasync.io;

    exports org.trueasync.http;

    uses org.trueasync.http.JsonCodec;

    provides com.sun.net.httpserver.spi.HttpServerProvider with
            org.trueasync.internal.http.jdk.LoopServerProvider;
}
