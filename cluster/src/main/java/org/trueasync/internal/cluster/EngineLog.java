package org.trueasync.internal.cluster;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The engine's log: warnings and worse, unless the program says otherwise. */
final class EngineLog {
    /** Held here, as the JDK drops loggers, with their settings, that nothing refers to. */
    private static final List<Logger> HELD = List.of(
            Logger.getLogger("com.hazelcast"),
            Logger.getLogger("com.hazelcast.instance.impl.Node"),
            Logger.getLogger("com.hazelcast.instance.impl.HazelcastInstanceFactory"),
            Logger.getLogger("com.hazelcast.internal.server.tcp.TcpServerConnectionErrorHandler"));

    /** The end of the message of a member that has taken the next port, as it was told to. */
    private static final String OCCUPIED = "Some of the ports seem occupied!";

    private EngineLog() {}

    /** Sets levels and a filter where none are set. */
    static void quieten() {
        limit(HELD.getFirst(), Level.WARNING);
        Logger node = HELD.get(1);
        if (node.getFilter() == null)
            node.setFilter(record ->
                    record.getMessage() == null || !record.getMessage().endsWith(OCCUPIED));
        // it advises to open packages of the JDK, for a little speed
        limit(HELD.get(2), Level.SEVERE);
        // it warns whenever a lost member was looked for in vain; the loss itself has been told
        limit(HELD.get(3), Level.SEVERE);
    }

    private static void limit(Logger logger, Level level) {
        if (logger.getLevel() == null) logger.setLevel(level);
    }
}
