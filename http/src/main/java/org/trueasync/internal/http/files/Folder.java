package org.trueasync.internal.http.files;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Task;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.server.ExchangeCore;

/** Answers requests with the files of a folder. What is asked of the disk by path is asked on a helper thread. */
public final class Folder {
    private static final String INDEX = "index.html";
    /** The system has its own limits, and says in many ways that one is reached. */
    private static final int LONGEST_NAME = 255;

    private static final int LONGEST_PATH = 3_000;
    private static final int MOST_LISTED = 10_000;
    private static final Set<OpenOption> AS_FOUND = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private static final List<Coding> ALL = List.of(Coding.values());

    private final Path root;
    public boolean followsLinks;
    public boolean showsHidden;
    public boolean lists;
    public boolean takesCompressed;
    public @Nullable String cacheControl;
    /** Content types of the program's own, by endings in lower case. */
    public final Map<String, String> types = new HashMap<>();

    /**
     * Makes one with the defaults.
     *
     * @throws IllegalArgumentException if it is no folder
     */
    public Folder(Path root) {
        this.root = root.toAbsolutePath();
        if (!Files.isDirectory(root)) throw new IllegalArgumentException(this.root + " is no folder");
    }

    /**
     * What a path leads to.
     *
     * @param coding that it has, so that it stands for the file without the ending for it; null for none
     * @param listing a page; null for a file, and for a folder that is to be asked for with a slash
     */
    private record Found(
            Path file,
            BasicFileAttributes attributes,
            @Nullable Coding coding,
            @Nullable String listing) {}

    /**
     * Answers a GET or HEAD.
     *
     * @param rest the path below the folder, decoded, without dot segments
     * @param path the whole path as it was sent
     */
    public void serve(ExchangeCore exchange, String rest, String path) {
        if (!isServed(rest)) throw exchange.request().failure(404, "not found");
        boolean isFolder = path.endsWith("/");
        List<Coding> codings =
                takesCompressed ? Coding.accepted(exchange.request().fields(), ALL) : List.of();
        Optional<Found> result;
        try {
            result = Async.blocking((Task<Optional<Found>>) () -> Optional.ofNullable(find(rest, isFolder, codings)));
        } catch (CompletionException e) {
            if (e.getCause() instanceof AccessDeniedException)
                throw exchange.request().failure(403, "forbidden");
            if (e.getCause() instanceof NoSuchFileException)
                throw exchange.request().failure(404, "not found");
            throw e;
        }
        if (result.isEmpty()) throw exchange.request().failure(404, "not found");
        Found found = result.get();
        var fields = exchange.response().fields();
        if (cacheControl != null && !fields.has(HttpHeader.CACHE_CONTROL))
            fields.add(HttpHeader.CACHE_CONTROL, cacheControl);
        if (takesCompressed) fields.add(HttpHeader.VARY, "Accept-Encoding");
        fields.add(new HttpField("X-Content-Type-Options", "nosniff"));
        if (found.listing != null) list(exchange, found.listing);
        else if (found.attributes.isDirectory()) redirect(exchange, path);
        else send(exchange, found);
    }

    private void send(ExchangeCore exchange, Found found) {
        String name = found.file.getFileName().toString();
        Coding coding = found.coding;
        if (coding != null)
            name = name.substring(0, name.length() - coding.ending().length());
        var response = new FileResponse(exchange, ContentTypes.of(name, types), coding);
        BasicFileAttributes attributes = found.attributes;
        Version version = Version.of(attributes.size(), attributes.lastModifiedTime(), coding);
        if (response.answersWithoutContent(version)) return;
        response.send(found.file, followsLinks ? Set.of(StandardOpenOption.READ) : AS_FOUND);
    }

    private static void redirect(ExchangeCore exchange, String path) {
        String all = exchange.request().pathAndQuery();
        exchange.response().status(301);
        exchange.response().fields().add(HttpHeader.LOCATION, path + "/" + all.substring(path.length()));
        exchange.response().respond(ByteBuffer.allocate(0));
    }

    private static void list(ExchangeCore exchange, String page) {
        exchange.response().contentType("text/html; charset=utf-8");
        exchange.response().respond(ByteBuffer.wrap(page.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns whether such a path may be a file at all. Two slashes side by side would lead a redirect elsewhere. */
    private boolean isServed(String rest) {
        if (rest.isEmpty()) return true;
        if (rest.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) return false;
        String[] segments = rest.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            if (segment.isEmpty() ? i < segments.length - 1 : !isName(segment)) return false;
        }
        return true;
    }

    private boolean isName(String segment) {
        if (segment.startsWith(".") && !showsHidden) return false;
        if (segment.equals(".") || segment.equals("..")) return false;
        if (segment.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) return false;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            // on some systems a backslash parts names, and a colon stands for a drive or for another stream of a file
            if (c < ' '
                    || c == 0x7f
                    || c == '\\'
                    || (c == ':' && root.getFileSystem().getSeparator().equals("\\"))) return false;
        }
        return true;
    }

    // ---- on a helper thread

    private @Nullable Found find(String rest, boolean isFolder, List<Coding> codings) throws IOException {
        Path base = root.toRealPath();
        Path wanted;
        try {
            wanted = base.resolve(rest);
        } catch (InvalidPathException e) {
            return null;
        }
        Path file = real(base, wanted);
        if (file == null) return null;
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            if (!isFolder) return new Found(file, attributes, null, null);
            Path index = real(base, file.resolve(INDEX));
            if (index == null) return lists ? new Found(file, attributes, null, listing(file, rest)) : null;
            file = index;
            attributes = Files.readAttributes(file, BasicFileAttributes.class);
        } else if (isFolder) return null;
        if (!attributes.isRegularFile()) return null;
        for (Coding coding : codings) {
            Path packed = real(base, file.resolveSibling(file.getFileName() + coding.ending()));
            if (packed == null) continue;
            var other = Files.readAttributes(packed, BasicFileAttributes.class);
            boolean isFresh = other.lastModifiedTime().compareTo(attributes.lastModifiedTime()) >= 0;
            if (other.isRegularFile() && isFresh) return new Found(packed, other, coding, null);
        }
        return new Found(file, attributes, null, null);
    }

    /** Follows all links; null if there is no such file, or it lies elsewhere. */
    private @Nullable Path real(Path base, Path path) throws IOException {
        if (!path.normalize().startsWith(base)) return null;
        Path real;
        try {
            real = path.toRealPath();
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            // that a link leads in a circle, or a file stands where a folder is meant, is told in the system's language
            return null;
        }
        return followsLinks || real.startsWith(base) ? real : null;
    }

    private String listing(Path folder, String rest) throws IOException {
        var names = new TreeSet<String>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (names.size() == MOST_LISTED) break;
                String name = entry.getFileName().toString();
                if (isName(name)) names.add(Files.isDirectory(entry) ? name + "/" : name);
            }
        }
        String title = html("/" + rest);
        var page = new StringBuilder(
                "<!doctype html><meta charset=utf-8><title>" + title + "</title><h1>" + title + "</h1><ul>\n");
        if (!rest.isEmpty()) page.append("<li><a href=\"../\">../</a>\n");
        for (String name : names)
            page.append("<li><a href=\"./")
                    .append(URLEncoder.encode(name, StandardCharsets.UTF_8)
                            .replace("+", "%20")
                            .replace("%2F", "/"))
                    .append("\">")
                    .append(html(name))
                    .append("</a>\n");
        return page.append("</ul>\n").toString();
    }

    private static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
