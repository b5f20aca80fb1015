package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.JsonWriter;

/** What {@link McpServer} offers. Nothing here changes a process; only {@code record} writes, a file of its own. */
final class McpTools {
    /** Longer answers are cut: whoever asks has to read all of it. */
    private static final int MAX_CHARACTERS = 100_000;

    private static final String PID = "pid";
    private static final String RECORD = "record";

    /**
     * A tool.
     *
     * @param argument the name of its argument, or null
     * @param isNeeded whether it must be given
     */
    private record Tool(
            String name, String description, @Nullable String argument, boolean isNeeded) {}

    private static final List<Tool> ALL = List.of(
            new Tool("ps", "Lists the processes that can be asked: pid, coroutines, load, program.", null, false),
            ofProcess("tree", "Shows scopes and coroutines, and what each waits for; alike ones are put together."),
            ofProcess("why", "Says why a process has not ended, or what it does, in a few lines."),
            ofProcess("stats", "Shows counts: coroutines, queue, timers, how busy the loop is."),
            ofProcess("stuck", "Finds coroutines that nothing can wake. Costs a full garbage collection there."),
            ofProcess("dump", "Shows all: the tree, counts, held loops, as text."),
            ofProcess(RECORD, "Writes what it did in the last seconds to a file; says where, and what was slow."),
            new Tool(
                    "explain",
                    "Says what a message of the runtime means; without word, lists the words.",
                    "word",
                    false));

    private McpTools() {}

    private static Tool ofProcess(String name, String description) {
        return new Tool(name, description, PID, true);
    }

    /** Writes the list of them, an array. */
    static void list(JsonWriter json) throws IOException {
        json.beginArray();
        for (Tool tool : ALL) {
            json.beginObject().name("name").value(tool.name);
            json.name("description").value(tool.description);
            json.name("inputSchema").beginObject().name("type").value("object");
            json.name("properties").beginObject();
            if (tool.argument != null) {
                json.name(tool.argument).beginObject().name("type");
                json.value(tool.argument.equals(PID) ? "integer" : "string").endObject();
            }
            json.endObject().name("required").beginArray();
            if (tool.isNeeded) json.value(tool.argument);
            json.endArray().endObject();
            json.name("annotations")
                    .beginObject()
                    .name("readOnlyHint")
                    .value(!tool.name.equals(RECORD))
                    .endObject();
            json.endObject();
        }
        json.endArray();
    }

    /**
     * Calls one.
     *
     * @throws IllegalArgumentException if there is no such tool, or an argument is wrong
     * @throws UsageException if the process can't be asked
     * @throws Question.Ended if it has ended
     */
    static String call(String name, Map<?, ?> arguments) throws UsageException, Question.Ended {
        Tool tool = ALL.stream()
                .filter(known -> known.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown tool " + name));
        Object argument = tool.argument == null ? null : arguments.get(tool.argument);
        if (name.equals("ps")) return Processes.table();
        if (name.equals("explain")) {
            if (argument == null || argument instanceof String) return Explain.text((String) argument);
            throw new IllegalArgumentException("word must be a string");
        }
        if (!(argument instanceof Long pid && pid > 0))
            throw new IllegalArgumentException("pid must be the number of a process");
        return name.equals(RECORD) ? record(pid) : ask(Inspected.at(Question.socketOf(pid)), name);
    }

    /** Whoever asks names no file, so that none can be overwritten. Only the user can read the new one. */
    private static String record(long pid) throws UsageException, Question.Ended {
        Question.socketOf(pid);
        Path file;
        try {
            file = Files.createTempFile("trueasync-" + pid + "-", ".box");
        } catch (IOException e) {
            throw new UsageException("can't make a file for it: " + e);
        }
        boolean isWritten = false;
        try {
            Records.write(new Command.RecordOf(pid, file.toString()));
            String summary = Records.summary(file);
            isWritten = true;
            return "Written to " + file + "\n" + summary + "trueasync timeline " + file + " draws it";
        } catch (IOException e) {
            throw new UsageException("can't read " + file + ": " + e);
        } finally {
            if (!isWritten) file.toFile().delete();
        }
    }

    /** An answer, cut if it is long. */
    static String ask(Inspected process, String question) throws UsageException, Question.Ended {
        var lines = new ArrayList<String>();
        int[] length = {0};
        process.ask(question, line -> {
            length[0] += line.length() + 1;
            if (length[0] <= MAX_CHARACTERS) lines.add(line);
        });
        if (length[0] > MAX_CHARACTERS)
            lines.add("... cut after " + MAX_CHARACTERS + " characters of " + length[0] + ": trueasync " + question
                    + " " + process.pid() + " shows all");
        return String.join("\n", lines);
    }
}
