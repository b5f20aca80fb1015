/**
 * Hands the thread locals of libraries on to coroutines and tasks: those that are registered with Micrometer's
 * context-propagation. Being on the path is enough.
 */
module org.trueasync.context {
    requires transitive context.propagation;
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static transitive org.jspecify;
    requires org.trueasync;

    exports org.trueasync.context;

    provides org.trueasync.spi.ContextPropagator with
            org.trueasync.internal.context.RegisteredThreadLocals;
}
