package org.trueasync.http;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.trueasync.internal.http.files.Folder;
import org.trueasync.internal.http.message.Checks;

/**
 * A handler that answers with the files of a folder. In {@link Routes} it serves the rest of the path: what
 * {@code {name...}} or {@link Routes#under} has left; otherwise the whole path.
 *
 * {@snippet class="org.trueasync.http.snippets.Routing" region="files" :
 * var routes = new Routes().under("/static", new FileHandler(Path.of("public")).cacheControl("max-age=3600"));
 * HttpServer.listen(8080, routes);
 * }
 *
 * <p>It answers {@code GET} and {@code HEAD} as {@link Exchange#respond(Path)} does. For a folder it sends
 * {@code index.html}, after a redirect to the path with a slash at its end.
 *
 * <p>Nothing outside the folder is served, whatever the path: neither by {@code ..}, in whatever form, nor by a link
 * that leads out of it. What has a name that begins with a dot is not served either, nor what is neither a file nor a
 * folder. All that is answered with 404; what may not be read, with 403.
 *
 * <p>Set it up before a server uses it. Then any thread may. The disk is never waited for on the loop thread.
 */
public final class FileHandler implements HttpHandler {
    private final Folder folder;

    /**
     * Creates a handler. Asks the disk at once.
     *
     * @param folder the files; if it is a link, each request follows it anew
     * @throws IllegalArgumentException if there is no such folder
     */
    public FileHandler(Path folder) {
        this.folder = new Folder(Objects.requireNonNull(folder, "folder"));
    }

    /**
     * The header field {@code Cache-Control} of all answers; none otherwise, so that clients ask whether a file has
     * changed. Returns this.
     *
     * @param value for instance {@code max-age=3600}
     * @throws IllegalArgumentException if the value may not stand in a head
     */
    public FileHandler cacheControl(String value) {
        folder.cacheControl = Checks.value("Cache-Control", value);
        return this;
    }

    /**
     * Sets the {@code Content-Type} of files whose names end so, in place of what is known. Returns this.
     *
     * @param ending without the dot, in any case: {@code md}
     * @param type for instance {@code text/markdown; charset=utf-8}
     * @throws IllegalArgumentException if the type may not stand in a head
     */
    public FileHandler contentType(String ending, String type) {
        folder.types.put(
                Objects.requireNonNull(ending, "ending").toLowerCase(Locale.ROOT), Checks.value("Content-Type", type));
        return this;
    }

    /**
     * Whether links are followed that lead out of the folder; they are not otherwise. Returns this.
     *
     * @param on true to follow them
     */
    public FileHandler followLinks(boolean on) {
        folder.followsLinks = on;
        return this;
    }

    /**
     * Whether files and folders are served whose names begin with a dot; they are not otherwise. Returns this.
     *
     * @param on true to serve them
     */
    public FileHandler hidden(boolean on) {
        folder.showsHidden = on;
        return this;
    }

    /**
     * Whether a folder without {@code index.html} is answered with a list of what is in it; with 404 otherwise. Returns
     * this.
     *
     * @param on true for lists
     */
    public FileHandler listings(boolean on) {
        folder.lists = on;
        return this;
    }

    /**
     * Whether a client that accepts Brotli, Zstandard or gzip gets {@code NAME.br}, {@code NAME.zst} or {@code NAME.gz}
     * in place of {@code NAME}, if it is there and not older;
     * not so otherwise. Returns this.
     *
     * @param on true to look for such files
     */
    public FileHandler precompressed(boolean on) {
        folder.takesCompressed = on;
        return this;
    }

    @Override
    public void handle(Exchange exchange) {
        switch (exchange.method()) {
            case "GET", "HEAD" -> folder.serve(exchange.core(), exchange.rest(), exchange.path());
            case "OPTIONS" -> exchange.header("Allow", "GET, HEAD, OPTIONS").respond(204);
            default -> exchange.header("Allow", "GET, HEAD, OPTIONS").respond(405, "method not allowed\n");
        }
    }

    @Override
    public String toString() {
        return "FileHandler of " + folder;
    }
}
