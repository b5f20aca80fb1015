/** gRPC on the HTTP server of TrueAsync. */
module org.trueasync.grpc {
    requires static transitive org.jspecify;
    requires transitive io.grpc;
    requires transitive org.trueasync.http;

    exports org.trueasync.grpc;
}
