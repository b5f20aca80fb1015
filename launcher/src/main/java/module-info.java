/** The {@code trueasync} command: compiles or finds a program, and runs its {@code main} as the main coroutine. */
module org.trueasync.launcher {
    requires java.compiler;
    requires jdk.compiler;
    requires jdk.httpserver;
    requires org.trueasync;
    requires org.trueasync.diagnostics;
    requires static jdk.jfr;
    requires static org.jspecify;
}
