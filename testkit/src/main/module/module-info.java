/**
 * Tests of code on coroutines: virtual time, and other orders in which things may happen. JUnit is needed for the
 * annotations only.
 */
module org.trueasync.testkit {
    requires transitive org.trueasync;
    requires static transitive org.jspecify;
    requires java.instrument;
    requires org.trueasync.diagnostics;
    requires static org.junit.jupiter.api;

    exports org.trueasync.testkit;
    exports org.trueasync.testkit.junit;
    exports org.trueasync.testkit.simulation;
    exports org.trueasync.internal.testkit.jdk to
            java.instrument; // calls the agent
}
