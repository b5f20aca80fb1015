package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;

/**
 * Sends the frames of the table {@code http2-cases.txt}. A frame is its type, flags ({@code E}nd of the stream, of the
 * {@code H}ead, {@code P}added, {@code A}cknowledges, with p{@code R}iority, or a number; {@code -} for none), its
 * stream, and what it carries: hexadecimal digits, a text in quotes, so many zero bytes ({@code 5*}), fields in braces,
 * or a request of the list below with further fields.
 *
 * <p>{@code await 1} waits for the response of stream 1, {@code ping} for a pong, {@code settled} for so many answers
 * to settings. {@code alone} leaves the preface out, {@code many} begins so many requests that wait.
 *
 * <p>What comes: {@code connection} and {@code stream} failed with that code, {@code closed} without one, a status with
 * the body if that is not empty, or how many bytes of it there are before its end, or {@code nothing} but the answers
 * to pings. A slash separates what may be.
 */
@Timeout(60)
class Http2ConformanceTest {
    private static final List<String> TYPES = List.of(
            "DATA", "HEADERS", "PRIORITY", "RESET", "SETTINGS", "PUSH", "PING", "GOAWAY", "WINDOW", "CONTINUATION");
    private static final Map<Character, Integer> FLAGS = Map.of('E', 1, 'A', 1, 'H', 4, 'P', 8, 'R', 32);
    private static final Map<String, byte[]> REQUESTS = Map.of(
            "GET", request("GET", "/"),
            "HEAD", request("HEAD", "/"),
            "POST", request("POST", "/"),
            "WAIT", request("GET", "/wait"),
            "WAITING POST", request("POST", "/wait"),
            "TEXT", request("GET", "/text"));
    private static final Pattern FRAME = Pattern.compile("([A-Z]+)(\\d*) (\\S+) (\\d+)(?: (.*))?");
    private static final Pattern REQUEST = Pattern.compile("([A-Z ]+?)?\\s*(?:\\{(.*)})?", Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile("200 (\\d+)( bytes?)");
    private static final Pattern BYTE = Pattern.compile("\\\\(?:x(\\p{XDigit}{2})|([rn0]))");

    private static byte[] request(String method, String path) {
        return Http2Peer.fields(":method", method, ":scheme", "http", ":path", path, ":authority", "a");
    }

    static String unescape(String text) {
        return BYTE.matcher(text).replaceAll(Http2ConformanceTest::byteOf);
    }

    private static String byteOf(MatchResult found) {
        if (found.group(1) != null) return Character.toString(Integer.parseInt(found.group(1), 16));
        return switch (found.group(2)) {
            case "r" -> "\r";
            case "n" -> "\n";
            default -> "\0";
        };
    }

    /** The rows of a table: cells that {@code |} separates. */
    static List<String[]> table(String name) throws IOException {
        var rows = new ArrayList<String[]>();
        for (String line : Files.readAllLines(Path.of("src/test/resources", name))) {
            if (line.isBlank() || line.startsWith("#")) continue;
            String[] cells = line.split("\\|", 3);
            for (int i = 0; i < 3; i++) cells[i] = cells[i].strip();
            rows.add(cells);
        }
        return rows;
    }

    private static byte[] payload(String text) {
        if (text == null) return new byte[0];
        if (text.startsWith("\"")) return text.substring(1, text.length() - 1).getBytes(StandardCharsets.ISO_8859_1);
        if (text.endsWith("*")) return new byte[Integer.parseInt(text.substring(0, text.length() - 1))];
        Matcher request = REQUEST.matcher(text);
        if (!request.matches()) return Http2Peer.hex(text);
        byte[] first = request.group(1) == null ? new byte[0] : REQUESTS.get(request.group(1));
        if (first == null) throw new IllegalArgumentException(text);
        return SocketPeer.join(first, request.group(2) == null ? new byte[0] : fields(request.group(2)));
    }

    private static byte[] fields(String list) {
        var all = new ArrayList<String>();
        for (String field : list.split(", (?=:?[A-Za-z-]+:)")) {
            int colon = field.indexOf(": ", field.startsWith(": ") ? 0 : 1);
            String value = unescape(field.substring(colon + 2));
            if (value.matches("\\d+\\*")) value = "x".repeat(Integer.parseInt(value.substring(0, value.length() - 1)));
            all.add(unescape(field.substring(0, colon)));
            all.add(value);
        }
        return Http2Peer.fields(all.toArray(String[]::new));
    }

    private static void send(Http2Peer peer, String act) throws IOException {
        String[] words = act.split(" ");
        switch (words[0]) {
            case "await" -> peer.await(Integer.parseInt(words[1]));
            case "ping" -> peer.settle();
            case "settled" -> {
                while (peer.settingsReplies < Integer.parseInt(words[1])) peer.next();
            }
            case "raw" -> peer.raw(unescape(act.substring(4)));
            case "many" -> {
                for (int i = 0; i < Integer.parseInt(words[1]); i++)
                    peer.send(Http2Peer.HEADERS, 5, 1 + 2 * i, payload("WAIT"));
            }
            case "", "alone" -> {}
            default -> {
                Matcher frame = FRAME.matcher(act);
                if (!frame.matches()) throw new IllegalArgumentException(act);
                boolean isOther = frame.group(1).equals("FRAME");
                int type = isOther ? Integer.parseInt(frame.group(2)) : TYPES.indexOf(frame.group(1));
                boolean reserved = frame.group(4).equals("80000000");
                int id = reserved ? Integer.MIN_VALUE : Integer.parseInt(frame.group(4));
                peer.send(type, flags(frame.group(3)), id, payload(frame.group(5)));
            }
        }
    }

    private static int flags(String names) {
        if (names.equals("-")) return 0;
        if (names.matches("\\d+")) return Integer.parseInt(names);
        int flags = 0;
        for (char name : names.toCharArray()) flags |= FLAGS.get(name);
        return flags;
    }

    /** What has come; waits for the answer to a ping, and for what is expected. */
    private static String outcome(Http2Peer peer, String expected) throws IOException {
        Matcher part = PART.matcher(expected);
        boolean isPart = part.matches();
        try {
            peer.settle();
            if (isPart) while (peer.of(1).body.size() < Integer.parseInt(part.group(1))) peer.next();
            while (!isPart && !expected.equals("nothing") && !isSeen(peer)) if (peer.next() == null) break;
            if (isPart) peer.settle();
        } catch (SocketException | AssertionError e) {
            peer.awaitEnd();
        }
        if (peer.goAway() >= 0) return "connection " + peer.awaitEnd().goAway();
        if (peer.closed) return "closed";
        if (peer.responses.isEmpty()) return "nothing";
        Http2Peer.Response response = peer.responses.values().iterator().next();
        if (response.reset == Http2Peer.REFUSED) return "refused";
        if (response.reset >= 0) return "stream " + response.reset;
        if (isPart) return response.ended ? "all" : response.status() + " " + response.body.size() + part.group(2);
        return response.status().equals("200")
                ? (response.status() + " " + response.text()).strip()
                : response.status();
    }

    private static boolean isSeen(Http2Peer peer) {
        return !peer.goAways.isEmpty() || peer.responses.values().stream().anyMatch(r -> r.ended || r.reset >= 0);
    }

    private static String run(HttpServer server, String[] row) {
        String[] acts = row[1].split(";(?![^{]*})\\s*");
        try (var peer = new Http2Peer(server.port()).patience(3_000)) {
            if (!acts[0].equals("alone")) peer.begin();
            try {
                for (String act : acts) send(peer, act);
            } catch (SocketException e) {
                // it has seen enough
            }
            String outcome = outcome(peer, row[2]);
            return List.of(row[2].split("/")).contains(outcome) ? "" : outcome;
        } catch (IOException | RuntimeException | AssertionError e) {
            return e.toString();
        }
    }

    @EachReactor
    void eachCaseOfTheTable_isAnsweredAsItSays(String reactor) throws Exception {
        List<String[]> rows = table("http2-cases.txt");
        assertThat(rows).hasSizeGreaterThan(200);
        var wrong = new ArrayList<String>();
        HttpHandler handler = x -> {
            if (x.path().equals("/wait")) delay(60_000);
            else x.respond(x.path().equals("/text") ? "some text" : x.text().replace("\0", ""));
        };
        List<String> reports = Http.serveAll(reactor, b -> b, handler, server -> {
            for (String[] row : rows) {
                String outcome = run(server, row);
                if (!outcome.isEmpty()) wrong.add(row[0] + ": " + outcome + " instead of " + row[2]);
            }
        });
        assertThat(String.join("\n", wrong)).isEmpty();
        assertThat(reports).isEmpty();
    }
}
