/** Coroutines on one thread: the API, the I/O classes over it, and the SPI that reactors and extensions are written against. */
module org.trueasync {
    requires static org.jspecify;

    exports org.trueasync;
    exports org.trueasync.io;
    exports org.trueasync.spi;

    uses org.trueasync.spi.ReactorProvider;
    uses org.trueasync.spi.SchedulerProvider;

    provides org.trueasync.spi.SchedulerProvider with
            org.trueasync.internal.kernel.KernelProvider;
}
