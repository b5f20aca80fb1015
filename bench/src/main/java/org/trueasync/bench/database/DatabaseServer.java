package org.trueasync.bench.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import org.trueasync.bench.ChildJvm;

/**
 * A JVM that has a PostgreSQL of its own. It prints {@code LISTENING} and the port. When a line comes, or the driver is
 * gone, it stops the server and prints {@code ENDED}.
 */
public final class DatabaseServer implements AutoCloseable {

    private final ChildJvm child;
    private final String port;

    private DatabaseServer(ChildJvm child) {
        this.child = child;
        this.port = child.expect("LISTENING")[0];
    }

    public static void main(String[] arguments) throws IOException {
        try (var postgres = EmbeddedPostgres.builder()
                .setServerConfig("unix_socket_directories", "")
                .setOutputRedirector(Redirect.DISCARD)
                .setErrorRedirector(Redirect.INHERIT)
                .start()) {
            System.out.println("LISTENING " + postgres.getPort());
            int read;
            do read = System.in.read();
            while (read != -1 && read != '\n');
        }
        System.out.println("ENDED");
        System.exit(0);
    }

    static DatabaseServer start(File log) {
        return new DatabaseServer(ChildJvm.start(log, List.of("-Xmx256m"), DatabaseServer.class));
    }

    /** Returns the URL of the server for JDBC. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    @Override
    public void close() {
        try {
            child.send("stop");
            child.expect("ENDED");
        } finally {
            child.close();
        }
    }
}
