package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trueasync.internal.inspect.SocketPlace;

/** The user's processes that can be asked, as a table. */
final class Processes {
    private static final List<String> HEADS = List.of("PID", "RUNTIMES", "COROUTINES", "BUSY", "STATE", "PROGRAM");
    private static final String OUR_MAIN = Main.class.getName();

    private Processes() {}

    /** Makes the table, and removes sockets of processes that were killed. */
    static String table() throws UsageException {
        var rows = new ArrayList<List<String>>();
        rows.add(HEADS);
        for (Path socket : sockets()) {
            String pid = Long.toString(SocketPlace.pidOf(socket));
            try {
                Question.ask(socket, "ps", line -> rows.add(row(pid, line.split("\t", -1))));
            } catch (Question.Ended | UsageException e) {
                rows.add(List.of(pid, "", "", "", "?", String.valueOf(e.getMessage())));
            }
        }
        return text(rows);
    }

    /**
     * The one process that can be asked.
     *
     * @throws UsageException if there is none, or more than one
     */
    static long only() throws UsageException {
        List<Path> running = sockets();
        if (running.size() == 1) return SocketPlace.pidOf(running.getFirst());
        throw new UsageException(
                running.isEmpty()
                        ? "there is no process that can be asked"
                        : "which process? trueasync ps lists them: trueasync inspect PID");
    }

    /** Those of processes that run; others are removed. */
    private static List<Path> sockets() throws UsageException {
        try {
            List<Path> all = new ArrayList<>(SocketPlace.ofUser().all());
            all.removeIf(Question::removeIfStale);
            all.sort(Comparator.comparingLong(SocketPlace::pidOf));
            return all;
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> row(String pid, String[] fields) {
        return List.of(pid, fields[0], fields[1], fields[2] + " %", fields[3], program(fields[4]));
    }

    /** The program of a command line of ours, without the options; any other one as it is. */
    static String program(String command) {
        int main = command.indexOf(OUR_MAIN + " ");
        if (main < 0) return command;
        String[] words = command.substring(main + OUR_MAIN.length() + 1).split(" ");
        try {
            if (CommandLine.parse(words) instanceof Command.Run run)
                return (run.program() + " " + String.join(" ", run.arguments())).strip();
        } catch (UsageException e) {
            // a name with a space in it: the whole line tells more
        }
        return command;
    }

    private static String text(List<List<String>> rows) {
        var text = new StringBuilder();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                boolean isLast = column == row.size() - 1;
                int number = column;
                int width = rows.stream()
                        .mapToInt(r -> r.get(number).length())
                        .max()
                        .orElse(0);
                String cell = row.get(column);
                boolean isText = column >= HEADS.indexOf("STATE");
                String space = " ".repeat(width - cell.length());
                text.append(isLast ? cell + "\n" : isText ? cell + space + "  " : space + cell + "  ");
            }
        }
        return text.toString();
    }
}
