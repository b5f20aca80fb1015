/** What watches runs, and describes them: loops that are held, waits that nothing ends, dumps. */
@SuppressWarnings("module") // compiled before the modules that may see its internals
module org.trueasync.diagnostics {
    requires static java.management;
    requires static jdk.jfr;
    requires static jdk.management;
    requires static transitive org.jspecify;
    requires org.trueasync;

    exports org.trueasync.diagnostics;
    exports org.trueasync.internal.blackbox to
            org.trueasync.launcher;
    exports org.trueasync.internal.inspect to
            org.trueasync.launcher,
            org.trueasync.testkit;

    provides org.trueasync.internal.run.RunObserver with
            org.trueasync.internal.blackbox.BlackBox,
            org.trueasync.internal.diagnostics.Diagnostics,
            org.trueasync.internal.inspect.Inspector;
}
