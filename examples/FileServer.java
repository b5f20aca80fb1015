// Serves a folder over HTTP/1.1. The server is the JDK's own. Its executor is ours, so each request is a coroutine.
//
//   trueasync run FileServer.java [FOLDER [PORT [ADDRESS]]]        the current folder, 8000 and 127.0.0.1 without them
//
// GET and HEAD, index.html or a listing for a folder, ETag and Last-Modified, one byte range per request. Whatever lies
// outside the folder is refused, also behind "..", also behind a symbolic link. Ctrl-C or SIGTERM stops it.
import static org.trueasync.Async.*;

import com.sun.net.httpserver.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.*;
import java.time.format.DateTimeFormatter;

/*
 * Reading a file with the JDK's streams blocks the thread, and with it every coroutine. So a file is read in moderate
 * pieces, and the others get their turn after each piece. Writing to the socket suspends only the coroutine.
 */
static final int PIECE = 64 * 1024;

static final Map<String, String> TYPES = Map.ofEntries(
        Map.entry("html", "text/html; charset=utf-8"), Map.entry("htm", "text/html; charset=utf-8"),
        Map.entry("txt", "text/plain; charset=utf-8"), Map.entry("md", "text/plain; charset=utf-8"),
        Map.entry("java", "text/plain; charset=utf-8"), Map.entry("xml", "text/xml; charset=utf-8"),
        Map.entry("css", "text/css; charset=utf-8"), Map.entry("csv", "text/csv; charset=utf-8"),
        Map.entry("js", "text/javascript; charset=utf-8"), Map.entry("json", "application/json"),
        Map.entry("pdf", "application/pdf"), Map.entry("zip", "application/zip"), Map.entry("gz", "application/gzip"),
        Map.entry("png", "image/png"), Map.entry("jpg", "image/jpeg"), Map.entry("jpeg", "image/jpeg"),
        Map.entry("gif", "image/gif"), Map.entry("svg", "image/svg+xml"), Map.entry("webp", "image/webp"),
        Map.entry("ico", "image/x-icon"), Map.entry("mp3", "audio/mpeg"), Map.entry("mp4", "video/mp4"));

Path root;
static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

int underWay; // plain: all requests share one thread

void main(String[] args) throws IOException {
    root = Path.of(args.length > 0 ? args[0] : "").toRealPath();
    if (!Files.isDirectory(root)) throw new NotDirectoryException(root.toString());
    int port = args.length > 1 ? Integer.parseInt(args[1]) : 8000;
    InetAddress address = args.length > 2 ? InetAddress.getByName(args[2]) : InetAddress.ofLiteral("127.0.0.1");

    // The JDK's server sends the head and the body of an answer apart; without this the second waits for the peer's
    // delayed acknowledgement of the first, some 40 ms. And it would close idle connections beyond 200.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    HttpServer http = HttpServer.create(new InetSocketAddress(address, port), 1024);
    http.setExecutor(executor());
    http.createContext("/", this::handle);
    http.start();
    try {
        InetSocketAddress bound = http.getAddress();
        String host = bound.getAddress().getHostAddress();
        IO.println("serving " + root + " at http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort() + "/");
        await(new java.util.concurrent.CompletableFuture<Void>()); // until a signal cancels this coroutine
    } finally {
        http.stop(0);
        IO.println("stopped" + (underWay > 0 ? ", " + underWay + " requests under way" : ""));
    }
}

void handle(HttpExchange exchange) throws IOException {
    underWay++;
    try (exchange) {
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        try {
            answer(exchange);
        } catch (FileSystemException e) {
            if (exchange.getResponseCode() != -1) throw e; // too late to say so: the connection ends
            if (e instanceof AccessDeniedException) refuse(exchange, 403, "forbidden");
            else refuse(exchange, 404, "not found");
        }
    } finally {
        underWay--;
    }
}

void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        refuse(exchange, 405, "method not allowed");
        return;
    }
    Path file = find(exchange.getRequestURI().getPath());
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) sendFolder(exchange, file);
    else if (attributes.isRegularFile()) sendFile(exchange, file, attributes);
    else throw new AccessDeniedException(file.toString()); // a pipe or a device: opening it might block for ever
}

/** Finds the file of a path and follows links, so that nothing outside the folder is reached by ".." or by a link. */
Path find(String path) throws IOException {
    Path wanted;
    try {
        wanted = root.resolve(path.replaceFirst("^/+", "")).normalize();
    } catch (InvalidPathException e) {
        throw new NoSuchFileException(path);
    }
    if (!wanted.startsWith(root)) throw new AccessDeniedException(path);
    Path real = wanted.toRealPath();
    if (!real.startsWith(root)) throw new AccessDeniedException(path);
    return real;
}

void sendFolder(HttpExchange exchange, Path folder) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!path.endsWith("/")) {
        // From the file's own name, not from the request: "//elsewhere" would lead to another host.
        exchange.getResponseHeaders().set("Location", "/" + encoded(path.replaceFirst("^/+", "")) + "/");
        refuse(exchange, 301, "moved");
        return;
    }
    if (Files.isRegularFile(folder.resolve("index.html"))) {
        Path index = find(path + "index.html");
        sendFile(exchange, index, Files.readAttributes(index, BasicFileAttributes.class));
        return;
    }
    var names = new TreeSet<String>();
    if (!folder.equals(root)) names.add("../");
    try (var entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) names.add(entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""));
    }
    String title = html("/" + root.relativize(folder));
    var page = new StringBuilder("<!doctype html><meta charset=utf-8><title>" + title + "</title><h1>" + title + "</h1><ul>\n");
    for (String name : names) page.append("<li><a href=\"./" + encoded(name) + "\">" + html(name) + "</a>\n");
    send(exchange, 200, "text/html; charset=utf-8", page.append("</ul>\n").toString());
}

void sendFile(HttpExchange exchange, Path file, BasicFileAttributes attributes) throws IOException {
    long size = attributes.size();
    Instant modified = attributes.lastModifiedTime().toInstant();
    String tag = "\"" + Long.toHexString(modified.toEpochMilli()) + "-" + Long.toHexString(size) + "\"";
    Headers asked = exchange.getRequestHeaders();
    Headers head = exchange.getResponseHeaders();
    head.set("ETag", tag);
    head.set("Last-Modified", HTTP_DATE.format(modified));
    head.set("Accept-Ranges", "bytes");
    String known = asked.getFirst("If-None-Match");
    if (known != null && (known.contains(tag) || known.equals("*"))) {
        exchange.sendResponseHeaders(304, -1);
        return;
    }
    String condition = asked.getFirst("If-Range");
    long[] range = condition == null || condition.equals(tag) ? range(asked.getFirst("Range"), size) : null;
    if (range != null && range[0] >= size) {
        head.set("Content-Range", "bytes */" + size);
        refuse(exchange, 416, "range not satisfiable");
        return;
    }
    long from = range == null ? 0 : range[0];
    long length = range == null ? size : range[1] - from + 1;
    if (range != null) head.set("Content-Range", "bytes " + from + "-" + range[1] + "/" + size);
    String name = file.getFileName().toString();
    head.set("Content-Type", TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT), "application/octet-stream"));
    int status = range == null ? 200 : 206;
    if (exchange.getRequestMethod().equals("HEAD")) {
        head.set("Content-Length", Long.toString(length));
        exchange.sendResponseHeaders(status, -1);
        return;
    }
    try (var in = Files.newInputStream(file)) {
        exchange.sendResponseHeaders(status, length == 0 ? -1 : length); // here -1 means no body, 0 one of unknown length
        if (length == 0) return;
        in.skipNBytes(from);
        var out = exchange.getResponseBody();
        byte[] piece = new byte[(int) Math.min(PIECE, length)];
        while (length > 0) {
            int count = in.read(piece, 0, (int) Math.min(piece.length, length));
            if (count < 0) throw new EOFException(file + " became shorter while it was sent"); // ends the connection
            out.write(piece, 0, count);
            length -= count;
            if (length > 0) suspend();
        }
    }
}

/** First and last byte of a single range; null for the whole file: no range, several, or one that makes no sense. */
long[] range(String header, long size) {
    if (header == null) return null;
    var match = java.util.regex.Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})").matcher(header.strip());
    if (!match.matches() || (match.group(1).isEmpty() && match.group(2).isEmpty())) return null;
    if (match.group(1).isEmpty()) {
        long last = Long.parseLong(match.group(2)); // so many bytes at the end
        return new long[] {last == 0 ? size : Math.max(0, size - last), size - 1};
    }
    long first = Long.parseLong(match.group(1));
    long last = match.group(2).isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(match.group(2)));
    return last < first && first < size ? null : new long[] {first, last};
}

void refuse(HttpExchange exchange, int status, String why) throws IOException {
    send(exchange, status, "text/plain; charset=utf-8", status + " " + why + "\n");
}

void send(HttpExchange exchange, int status, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(status, -1);
    } else {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}

/** A path for a link: the slashes stay, everything else that is not plain is written as %XX. */
String encoded(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
}

String html(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
}
