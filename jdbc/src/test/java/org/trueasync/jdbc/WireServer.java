package org.trueasync.jdbc;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server of accounts that speaks PostgreSQL's protocol, as such a program is written with the JDK: a thread for each
 * connection, monitors, a file. It knows a few statements. A transaction that changes something keeps all others out,
 * until its end or that of its connection. A commit is on the disk before it is answered.
 */
final class WireServer {
    static final int PORT = 5432;
    static final int ACCOUNTS = 4;
    static final int EACH = 100;
    private static final Path FILE = Path.of("/accounts");
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int CANCEL_REQUEST = 80_877_102;

    private final Map<Integer, Integer> balances = new TreeMap<>();
    /** Whose transaction has changed something; guarded by this. */
    private Session writer;

    /** Runs until its host ends. */
    static void serve() throws IOException {
        new WireServer().run();
    }

    private void run() throws IOException {
        if (Files.exists(FILE)) {
            for (String line : Files.readAllLines(FILE)) {
                String[] words = line.split(" ");
                balances.put(Integer.valueOf(words[0]), Integer.valueOf(words[1]));
            }
        } else {
            for (int i = 0; i < ACCOUNTS; i++) balances.put(i, EACH);
        }
        try (var server = new ServerSocket(PORT);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            while (true) {
                Socket peer = server.accept();
                threads.execute(() -> {
                    try (peer) {
                        new Session(peer).run();
                    } catch (IOException gone) {
                        // it connects again
                    }
                });
            }
        }
    }

    private synchronized void begin(Session session) throws InterruptedException {
        while (writer != null && writer != session) wait();
        writer = session;
    }

    private synchronized void end(Session session) {
        if (writer != session) return;
        writer = null;
        notifyAll();
    }

    private void save(Map<Integer, Integer> changed) throws IOException {
        Map<Integer, Integer> all = new TreeMap<>(balances);
        all.putAll(changed);
        var text = new StringBuilder();
        all.forEach((id, balance) -> text.append(id).append(' ').append(balance).append('\n'));
        Path next = Path.of("/accounts.next");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(StandardCharsets.UTF_8.encode(text.toString()));
            channel.force(true);
        }
        Files.move(next, FILE, StandardCopyOption.ATOMIC_MOVE);
        try (var folder = FileChannel.open(Path.of("/"), StandardOpenOption.READ)) {
            folder.force(true);
        }
        balances.putAll(changed);
    }

    private final class Session {
        private final DataInputStream in;
        private final DataOutputStream out;
        private final ByteArrayOutputStream buffered = new ByteArrayOutputStream();
        private final Map<String, String> statements = new HashMap<>();
        private final Map<Integer, Integer> changed = new TreeMap<>();
        private String sql = "";
        private int[] parameters = {};
        private boolean binary;
        private boolean inTransaction;

        Session(Socket peer) throws IOException {
            in = new DataInputStream(new BufferedInputStream(peer.getInputStream()));
            out = new DataOutputStream(peer.getOutputStream());
        }

        void run() throws IOException {
            try {
                if (!start()) return;
                for (int type; (type = in.read()) > 0 && type != 'X'; ) {
                    byte[] body = in.readNBytes(in.readInt() - 4);
                    handle((char) type, ByteBuffer.wrap(body));
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                end(this);
            }
        }

        private boolean start() throws IOException {
            while (true) {
                int length = in.readInt();
                int code = in.readInt();
                in.readNBytes(length - 8);
                if (code == CANCEL_REQUEST) return false;
                if (code != SSL_REQUEST && code != GSS_REQUEST) break;
                out.write('N');
            }
            send('R', number(0));
            for (String setting : new String[] {
                "server_version\00016.0",
                "client_encoding\000UTF8",
                "DateStyle\000ISO, MDY",
                "integer_datetimes\000on",
                "standard_conforming_strings\000on"
            }) send('S', text(setting));
            send('K', new byte[8]);
            ready();
            return true;
        }

        private void handle(char type, ByteBuffer body) throws IOException, InterruptedException {
            switch (type) {
                case 'P' -> {
                    statements.put(string(body), string(body));
                    send('1', new byte[0]);
                }
                case 'B' -> bind(body);
                case 'D' -> {
                    body.get();
                    describe();
                }
                case 'E' -> execute();
                case 'Q' -> {
                    sql = string(body).toLowerCase(Locale.ROOT);
                    parameters = new int[0];
                    binary = false;
                    if (sql.startsWith("select")) describe();
                    execute();
                    ready();
                }
                case 'C' -> send('3', new byte[0]);
                case 'S' -> ready();
                default -> throw new AssertionError("unknown message " + type);
            }
        }

        private void bind(ByteBuffer body) {
            string(body); // the portal
            sql = statements.getOrDefault(string(body), "").toLowerCase(Locale.ROOT);
            short[] formats = new short[body.getShort()];
            for (int i = 0; i < formats.length; i++) formats[i] = body.getShort();
            parameters = new int[body.getShort()];
            for (int i = 0; i < parameters.length; i++) {
                byte[] value = new byte[body.getInt()];
                body.get(value);
                boolean isBinary = formats.length > 0 && formats[Math.min(i, formats.length - 1)] == 1;
                parameters[i] = isBinary
                        ? ByteBuffer.wrap(value).getInt()
                        : Integer.parseInt(new String(value, StandardCharsets.UTF_8));
            }
            binary = body.getShort() > 0 && body.getShort() == 1;
            send('2', new byte[0]);
        }

        private void describe() {
            if (!sql.startsWith("select")) {
                send('n', new byte[0]);
                return;
            }
            byte[] name = text("value");
            send(
                    'T',
                    ByteBuffer.allocate(2 + name.length + 18)
                            .putShort((short) 1)
                            .put(name)
                            .putInt(0)
                            .putShort((short) 0)
                            .putInt(23) // int4
                            .putShort((short) 4)
                            .putInt(-1)
                            .putShort((short) (binary ? 1 : 0))
                            .array());
        }

        private void execute() throws IOException, InterruptedException {
            String[] words = sql.split(" ");
            switch (words[0]) {
                case "" -> send('I', new byte[0]);
                case "begin" -> {
                    inTransaction = true;
                    complete("BEGIN");
                }
                case "commit", "rollback" -> {
                    if (words[0].equals("commit") && !changed.isEmpty()) save(changed);
                    changed.clear();
                    inTransaction = false;
                    end(this);
                    complete(words[0].toUpperCase(Locale.ROOT));
                }
                case "update" -> {
                    begin(this);
                    int id = parameters[1];
                    changed.put(id, changed.getOrDefault(id, balances.get(id)) + parameters[0]);
                    if (!inTransaction) {
                        save(changed);
                        changed.clear();
                        end(this);
                    }
                    complete("UPDATE 1");
                }
                case "select" -> {
                    Map<Integer, Integer> seen = new TreeMap<>(balances);
                    seen.putAll(changed);
                    int value = parameters.length > 0
                            ? seen.get(parameters[0])
                            : seen.values().stream().mapToInt(Integer::intValue).sum();
                    byte[] shown =
                            binary ? number(value) : Integer.toString(value).getBytes(StandardCharsets.UTF_8);
                    send(
                            'D',
                            ByteBuffer.allocate(6 + shown.length)
                                    .putShort((short) 1)
                                    .putInt(shown.length)
                                    .put(shown)
                                    .array());
                    complete("SELECT 1");
                }
                default -> complete("SET");
            }
        }

        private void complete(String tag) {
            send('C', text(tag));
        }

        private void ready() throws IOException {
            send('Z', new byte[] {(byte) (inTransaction ? 'T' : 'I')});
            buffered.writeTo(out);
            buffered.reset();
        }

        private void send(char type, byte[] body) {
            buffered.write(type);
            buffered.writeBytes(number(body.length + 4));
            buffered.writeBytes(body);
        }

        private static byte[] number(int value) {
            return ByteBuffer.allocate(4).putInt(value).array();
        }

        private static byte[] text(String text) {
            return (text + '\0').getBytes(StandardCharsets.UTF_8);
        }

        private static String string(ByteBuffer body) {
            int begin = body.position();
            while (body.get() != 0) {}
            return new String(body.array(), begin, body.position() - begin - 1, StandardCharsets.UTF_8);
        }
    }
}
