/** Coroutines on one thread: the API, and the SPI that reactors and extensions are written against. */
@SuppressWarnings("module") // core is compiled before the modules that may see its internals
module org.trueasync {
    requires static jdk.jfr;
    requires static jdk.unsupported;
    requires static transitive org.jspecify;

    exports org.trueasync;
    exports org.trueasync.spi;
    exports org.trueasync.internal.await to
            org.trueasync.io;
    exports org.trueasync.internal.cores to
            org.trueasync.io;
    exports org.trueasync.internal.error to
            org.trueasync.diagnostics,
            org.trueasync.io,
            org.trueasync.launcher,
            org.trueasync.testkit;
    exports org.trueasync.internal.event to
            org.trueasync.io;
    exports org.trueasync.internal.failure to
            org.trueasync.diagnostics,
            org.trueasync.io;
    exports org.trueasync.internal.jdk to
            org.trueasync.diagnostics,
            org.trueasync.io;
    exports org.trueasync.internal.kernel to
            org.trueasync.diagnostics,
            org.trueasync.grpc,
            org.trueasync.http,
            org.trueasync.io,
            org.trueasync.testkit;
    exports org.trueasync.internal.recorder to
            org.trueasync.diagnostics,
            org.trueasync.testkit;
    exports org.trueasync.internal.run to
            org.trueasync.diagnostics,
            org.trueasync.io,
            org.trueasync.launcher,
            org.trueasync.testkit;
    exports org.trueasync.internal.task to
            org.trueasync.diagnostics,
            org.trueasync.io;
    exports org.trueasync.internal.time to
            org.trueasync.diagnostics,
            org.trueasync.http,
            org.trueasync.io;
    exports org.trueasync.internal.work to
            org.trueasync.io;

    uses org.trueasync.internal.run.RunObserver;
    uses org.trueasync.spi.ContextPropagator;
    uses org.trueasync.spi.ReactorProvider;
    uses org.trueasync.spi.SchedulerProvider;

    provides org.trueasync.spi.SchedulerProvider with
            org.trueasync.internal.kernel.KernelProvider;
}
