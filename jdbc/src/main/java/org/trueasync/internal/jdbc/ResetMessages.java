package org.trueasync.internal.jdbc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The reset of a session as messages of PostgreSQL's protocol, each statement of it prepared once.
 *
 * <p>It is a transaction of its own, so it takes effect as a whole, and what follows it is not part of it. If it fails,
 * the server skips everything up to the next Sync: a statement that was sent behind it is not executed.
 */
final class ResetMessages {
    /** Executes the statements; what is sent behind them ends with a Sync. */
    final byte[] execute;

    /** Executes them with a Sync of its own. */
    final byte[] alone;

    /** Prepares and executes them, with a Sync of its own. */
    final byte[] first;

    /** How many statements there are: each answers with one CommandComplete. */
    final int statements;

    /**
     * Makes the messages.
     *
     * @param reset the statements of the reset
     */
    ResetMessages(List<String> reset) {
        // of a level at which no begin waits, whatever the session's default is
        List<String> all = Stream.of(
                        Stream.of("BEGIN ISOLATION LEVEL READ COMMITTED"), reset.stream(), Stream.of("COMMIT"))
                .flatMap(each -> each)
                .toList();
        var parses = new ByteArrayOutputStream();
        var executions = new ByteArrayOutputStream();
        for (int i = 0; i < all.size(); i++) {
            byte[] name = text("trueasync_reset_" + i);
            message(parses, 'P', name, text(all.get(i)), new byte[2]); // no types of parameters
            message(executions, 'B', text(""), name, new byte[6]); // no parameters, no formats
            message(executions, 'E', text(""), new byte[4]); // all rows
        }
        execute = executions.toByteArray();
        message(executions, 'S');
        alone = executions.toByteArray();
        parses.writeBytes(alone);
        first = parses.toByteArray();
        statements = all.size();
    }

    private static byte[] text(String text) {
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }

    private static void message(ByteArrayOutputStream to, char type, byte[]... parts) {
        int length = 4;
        for (byte[] part : parts) length += part.length;
        to.write(type);
        for (int shift = 24; shift >= 0; shift -= 8) to.write(length >> shift);
        for (byte[] part : parts) to.writeBytes(part);
    }
}
