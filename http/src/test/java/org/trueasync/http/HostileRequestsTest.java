package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;

/** Sends each request of the page {@code docs/http-requests.md}, which shows what is answered. */
@Timeout(60)
class HostileRequestsTest {
    /** A line of the page. */
    private record Case(String request, List<String> answers) {}

    private static final int PATIENCE = 10_000;
    private static final Pattern ROW = Pattern.compile("\\| (?:``(.+?)``|`(.+?)`) \\| (?:``(.+?)``|`(.+?)`) \\| .*\\|");
    private static final Pattern REPEATED = Pattern.compile("\\{(A)(\\d+)}|\\{(.*?)\\*(\\d+)}", Pattern.DOTALL);
    private static final Pattern BYTE = Pattern.compile("\\\\(?:x(\\p{XDigit}{2})|([rnt0\\\\]))");

    @EachReactor
    void eachRequestOfThePage_isAnsweredAsItSays(String reactor) throws Exception {
        List<Case> cases = cases();
        assertThat(cases).hasSizeGreaterThan(150);
        var wrong = new ArrayList<String>();
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .maxHeaderBytes(2048)
                    .maxBodyBytes(1_000)
                    .listen(HostileRequestsTest::tell)) {
                for (Case each : cases) {
                    List<String> answers = answers(server.port(), each);
                    if (!answers.equals(each.answers))
                        wrong.add(each.request + "\n   should be " + each.answers + ", is " + answers);
                }
                for (int i = 0; server.stats().openConnections() > 0 && i < 2_000; i++) delay(1);
                if (server.stats().openConnections() > 0) wrong.add("left open: " + server.stats());
            }
        });
        assertThat(String.join("\n", wrong)).isEmpty();
        assertThat(reports).isEmpty();
    }

    private static void tell(Exchange exchange) {
        String body = new String(exchange.bytes(), StandardCharsets.ISO_8859_1);
        String target = exchange.method().equals("CONNECT") ? exchange.host() : exchange.path();
        if (exchange.query() != null) target += "?" + exchange.query();
        exchange.respond(exchange.method() + " " + target + (body.isEmpty() ? "" : " " + body));
    }

    private static List<String> answers(int port, Case each) throws Exception {
        try (var peer = new Raw(port).patience(PATIENCE)) {
            try {
                peer.send(bytes(each.request));
                boolean refused = each.answers.getLast().matches("[45].*");
                if (!refused) peer.end();
                return read(peer.readAll());
            } catch (AssertionError e) {
                return List.of("no end: " + e.getMessage().lines().findFirst().orElse(""));
            } catch (java.io.IOException e) {
                return List.of(e.toString());
            }
        }
    }

    /** Takes a row of responses apart. */
    private static List<String> read(String all) {
        var answers = new ArrayList<String>();
        if (all.isEmpty()) answers.add("cut");
        int at = 0;
        while (at < all.length()) {
            int end = all.indexOf("\r\n\r\n", at);
            if (end < 0) return List.of("torn: " + all);
            String head = all.substring(at, end);
            String status = head.substring(9, 12);
            Matcher length = Pattern.compile("Content-Length: (\\d+)").matcher(head);
            if (!length.find()) return List.of("no length: " + head);
            int bodyEnd = end + 4 + Integer.parseInt(length.group(1));
            String body = bodyEnd <= all.length() ? all.substring(end + 4, bodyEnd) : "";
            at = Math.min(bodyEnd, all.length());
            boolean closes = head.contains("Connection: close");
            if (status.equals("200")) answers.add((status + " " + body).strip() + (closes ? " close" : ""));
            else answers.add(closes ? status : status + " but it does not say close");
        }
        return answers;
    }

    private static String bytes(String text) {
        String lines = text.replace("⏎", "\r\n");
        Matcher repeated = REPEATED.matcher(lines);
        lines = repeated.replaceAll(m -> Matcher.quoteReplacement(
                m.group(1) != null
                        ? m.group(1).repeat(Integer.parseInt(m.group(2)))
                        : m.group(3).repeat(Integer.parseInt(m.group(4)))));
        return BYTE.matcher(lines).replaceAll(m -> {
            char c = m.group(1) != null
                    ? (char) Integer.parseInt(m.group(1), 16)
                    : switch (m.group(2)) {
                        case "r" -> '\r';
                        case "n" -> '\n';
                        case "t" -> '\t';
                        case "0" -> '\0';
                        default -> '\\';
                    };
            return Matcher.quoteReplacement(String.valueOf(c));
        });
    }

    private static List<Case> cases() throws Exception {
        var cases = new ArrayList<Case>();
        for (String line : Files.readAllLines(page())) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) continue;
            String request = row.group(1) != null ? row.group(1) : row.group(2);
            String answer = row.group(3) != null ? row.group(3) : row.group(4);
            cases.add(new Case(request, List.of(answer.split(" \\+ "))));
        }
        return cases;
    }

    private static Path page() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/http-requests.md"))) root = root.getParent();
        return root.resolve("docs/http-requests.md");
    }
}
