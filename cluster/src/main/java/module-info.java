/** Coroutines on several machines: tasks for other members, on an embedded Hazelcast. */
module org.trueasync.cluster {
    requires transitive com.hazelcast.core;
    requires java.logging;
    requires static transitive org.jspecify;
    requires transitive org.trueasync;

    // what the engine needs; its jar has no descriptor that could say it
    requires java.management;
    requires java.naming;
    requires java.sql;
    requires java.xml;
    requires jdk.management;
    requires jdk.unsupported;

    exports org.trueasync.cluster;
}
