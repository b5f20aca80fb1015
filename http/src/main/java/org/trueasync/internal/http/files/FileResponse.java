package org.trueasync.internal.http.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.files.ByteRanges.Part;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.message.Dates;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.http.server.RequestCore;
import org.trueasync.internal.http.server.ResponseCore;
import org.trueasync.io.AsyncFile;
import org.trueasync.spi.FileHandle;

/** Answers a request with a file: with all of it, with parts of it, or that the client has it already. */
public final class FileResponse {
    private final RequestCore request;
    private final ResponseCore response;
    private final String type;
    private final @Nullable Coding coding;
    private final boolean isHead;

    /**
     * Prepares an answer.
     *
     * @param type of the file, unless the response has one
     * @param coding that the file has, which is sent in place of the one of that name; null for none
     */
    FileResponse(ExchangeCore exchange, String type, @Nullable Coding coding) {
        this.request = exchange.request();
        this.response = exchange.response();
        String given = response.fields().get(HttpHeader.CONTENT_TYPE);
        this.type = given == null ? type : given;
        this.coding = coding;
        this.isHead = request.method().equals("HEAD");
    }

    /** Sends a file; what is no regular file is answered with 404. */
    public static void send(ExchangeCore exchange, Path path) {
        exchange.response().requireOpen();
        Path name = path.getFileName();
        new FileResponse(exchange, ContentTypes.of(name == null ? "" : name.toString(), Map.of()), null)
                .send(path, Set.of());
    }

    /**
     * Notes the tag of what would be sent, and answers if the client has it already, or may not change it.
     *
     * @param tag with its quotes
     * @return whether it has answered
     */
    public static boolean answersUnlessModified(ExchangeCore exchange, String tag) {
        RequestCore request = exchange.request();
        ResponseCore response = exchange.response();
        response.requireOpen();
        response.fields().set(new HttpField(HttpHeader.ETAG, tag));
        boolean isRead = request.method().equals("GET") || request.method().equals("HEAD");
        int status = Conditions.check(request.fields(), isRead, new Version(0, tag, Instant.MIN));
        if (status == 0) return false;
        response.status(status);
        response.respond(ByteBuffer.allocate(0));
        return true;
    }

    void send(Path path, Set<? extends OpenOption> options) {
        try (AsyncFile file = open(path, options)) {
            FileHandle.Status status = file.status();
            if (!status.isRegularFile()) throw request.failure(404, "not found");
            Version version = Version.of(status.size(), status.modified(), coding);
            if (!answersWithoutContent(version)) content(file, version);
        }
    }

    private AsyncFile open(Path path, Set<? extends OpenOption> options) {
        try {
            return AsyncFile.open(path, options);
        } catch (InputOutputException e) {
            throw switch (e.errno()) {
                case "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EISDIR", "ENXIO" ->
                    request.failure(404, "not found");
                case "EACCES", "EPERM" -> request.failure(403, "forbidden");
                default -> e;
            };
        }
    }

    /** Answers a request that asks for no byte of the file; returns false if it does. */
    boolean answersWithoutContent(Version version) {
        int status = response.status() == 200 ? Conditions.check(request.fields(), isRead(), version) : 0;
        if (status == 0 && !isHead) return false;
        describe(version);
        if (status != 0) {
            response.packs(version.size());
            response.status(status);
            response.fields().remove("Content-Type");
            response.respond(ByteBuffer.allocate(0));
            return true;
        }
        whole(version);
        response.flush();
        return true;
    }

    private boolean isRead() {
        return isHead || request.method().equals("GET");
    }

    private void content(AsyncFile file, Version version) {
        describe(version);
        List<Part> parts = parts(version);
        if (parts == null) {
            whole(version);
            response.write(file, 0, version.size());
        } else if (parts.isEmpty()) {
            response.status(416);
            set(HttpHeader.CONTENT_RANGE, "bytes */" + version.size());
            response.respond(ByteBuffer.allocate(0));
        } else if (parts.size() == 1) {
            Part part = parts.getFirst();
            response.status(206);
            set(HttpHeader.CONTENT_RANGE, part.of(version.size()));
            length(part.length());
            response.write(file, part.first(), part.length());
        } else several(file, version, parts);
    }

    private @Nullable List<Part> parts(Version version) {
        String ranges = request.fields().get(HttpHeader.RANGE);
        if (ranges == null || response.status() != 200 || !request.method().equals("GET")) return null;
        return Conditions.allowsRanges(request.fields(), version) ? ByteRanges.parse(ranges, version.size()) : null;
    }

    private void describe(Version version) {
        set(HttpHeader.ETAG, version.tag());
        set(HttpHeader.LAST_MODIFIED, Dates.text(version.modified()));
        set(HttpHeader.CONTENT_TYPE, type);
        if (coding != null) set(HttpHeader.CONTENT_ENCODING, coding.token());
    }

    /** Without a length the server compresses it. */
    private void whole(Version version) {
        set(HttpHeader.ACCEPT_RANGES, "bytes");
        if (!response.packs(version.size())) length(version.size());
    }

    private void length(long length) {
        set(HttpHeader.CONTENT_LENGTH, Long.toString(length));
    }

    /** Sends several parts as {@code multipart/byteranges}. */
    private void several(AsyncFile file, Version version, List<Part> parts) {
        String boundary = Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 62);
        var heads = new byte[parts.size()][];
        long length = 0;
        for (int i = 0; i < heads.length; i++) {
            heads[i] = ascii("\r\n--" + boundary + "\r\nContent-Type: " + type + "\r\nContent-Range: "
                    + parts.get(i).of(version.size()) + "\r\n\r\n");
            length += heads[i].length + parts.get(i).length();
        }
        byte[] end = ascii("\r\n--" + boundary + "--\r\n");
        response.status(206);
        set(HttpHeader.CONTENT_TYPE, "multipart/byteranges; boundary=" + boundary);
        length(length + end.length);
        for (int i = 0; i < heads.length; i++) {
            response.write(ByteBuffer.wrap(heads[i]));
            response.write(file, parts.get(i).first(), parts.get(i).length());
        }
        response.write(ByteBuffer.wrap(end));
    }

    private void set(HttpHeader name, String value) {
        response.fields().set(new HttpField(name, value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
