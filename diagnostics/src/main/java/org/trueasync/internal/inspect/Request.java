package org.trueasync.internal.inspect;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.blackbox.RecordFile;

/** One question and its answer, see {@link Protocol}. */
final class Request {
    private static final int MAX_LENGTH = 1_000;
    private static final String HEAD = Protocol.NAME + " " + Protocol.VERSION + " ";

    private Request() {}

    static void answer(SocketChannel client, boolean admitted) throws IOException {
        String line = read(client);
        if (line == null) return;
        try (Writer out = new BufferedWriter(
                new OutputStreamWriter(Channels.newOutputStream(client), StandardCharsets.UTF_8), 1 << 16)) {
            Answer answer = null;
            String refusal = null;
            if (!admitted) refusal = "it is answering too many others; try again";
            else if (!line.startsWith(HEAD))
                refusal = "it speaks version " + Protocol.VERSION + " of the protocol and was asked '" + line
                        + "': use the trueasync command of its own version";
            else if ((answer = named(List.of(line.substring(HEAD.length()).split(" ")))) == null)
                refusal = "it does not know '" + line.substring(HEAD.length()) + "'";
            out.write(HEAD + (answer == null ? "error " + refusal : "ok") + "\n");
            out.flush(); // whoever asks knows that this process is alive; a long walk is silent
            if (answer != null) answer.write(out);
            out.write(Protocol.END + "\n");
        } catch (InterruptedException ending) {
            // the line at the end is missing
        }
    }

    private static @Nullable Answer named(List<String> words) {
        boolean all = words.contains("--all");
        return switch (words.getFirst()) {
            case "ps" -> new Summary();
            case "stats" -> new Figures();
            case "why" -> new Reasons();
            case "tree" -> new Tree(all);
            case "stuck" -> new StuckText();
            case "record" -> out -> RecordFile.write(out, "asked for");
            case "dump" -> new TextDump();
            case "json" -> new JsonDump(!words.contains("--stats"));
            default -> null;
        };
    }

    private static @Nullable String read(SocketChannel client) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_LENGTH);
        while (buffer.hasRemaining() && client.read(buffer) >= 0) {
            int length = buffer.position();
            if (buffer.get(length - 1) == '\n')
                return new String(Arrays.copyOf(buffer.array(), length - 1), StandardCharsets.UTF_8);
        }
        return null;
    }
}
