// Fetches many URLs with the JDK's HttpClient, 200 at a time, and tells how it went.
//
//   trueasync run FetchAll.java FILE                 one URL per line; skips empty lines and those that begin with #
//   trueasync run FetchAll.java < FILE
//   trueasync run FetchAll.java --generate N URL     N times the same URL, each with another query
//
// A progress line on standard error, a summary on standard output. Exit status 1 if any failed, 2 for bad arguments.
import static org.trueasync.Async.*;

import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.trueasync.*;

static final int AT_ONCE = 200;
static final Duration TIME_LIMIT = Duration.ofSeconds(30);
static final int FAILURES_SHOWN = 10;

// Two hundred coroutines change these. They share one thread and switch only where they wait, so plain fields will do.
int total;
int ok;
int failed;
int running;
long bytes;
final long started = System.nanoTime();

void main(String[] args) throws IOException {
    Iterator<String> urls = urls(args);
    Coroutine<?> progress = spawn(this::showProgress);
    // The client's tasks run as coroutines too, so that the bytes are counted on our thread.
    try (var client = HttpClient.newBuilder()
            .executor(executor())
            .connectTimeout(TIME_LIMIT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
        var workers = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < Math.min(AT_ONCE, total); i++) {
            // All share one list: whoever is free takes the next URL.
            workers.add(spawn(() -> { while (urls.hasNext()) fetch(client, urls.next()); }));
        }
        try {
            awaitAllOrFail(workers);
        } catch (AsyncCancellation e) {
            client.shutdownNow(); // Ctrl-C: close() alone would wait for the requests under way
            throw e;
        }
    } finally {
        progress.cancel();
        IO.println("%,d ok, %,d failed, %,d bytes in %.2f s".formatted(ok, failed, bytes, seconds()));
    }
    if (failed > 0) System.exit(1);
}

void fetch(HttpClient client, String url) {
    running++;
    try {
        var request = HttpRequest.newBuilder(URI.create(url)).build();
        var answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(b -> bytes += b.length)));
        try {
            int status = await(answer, timeout(TIME_LIMIT)).statusCode(); // the whole answer, not its head alone
            if (status < 400) ok++;
            else failed(url, "status " + status);
        } finally {
            answer.cancel(true); // frees the connection if the wait was given up; otherwise it does nothing
        }
    } catch (OperationCanceledException e) {
        failed(url, "no answer within " + TIME_LIMIT.toSeconds() + " s");
    } catch (CompletionException e) {
        failed(url, String.valueOf(e.getCause())); // a checked exception of the client
    } catch (RuntimeException e) {
        failed(url, e.toString()); // a line that is no URL
    } finally {
        running--;
    }
}

void failed(String url, String why) {
    failed++;
    if (failed <= FAILURES_SHOWN) System.err.println((rewrites() ? "\r\033[K" : "") + url + ": " + why);
    if (failed == FAILURES_SHOWN) System.err.println("further failures are only counted");
}

/** Shows the progress until it is cancelled. On a terminal one line is rewritten, elsewhere there is one a second. */
void showProgress() {
    boolean rewrites = rewrites();
    try {
        while (true) {
            delay(rewrites ? 100 : 1000);
            String line = "%,d of %,d, %,d failed, %d running, %,d KiB, %.1f s".formatted(ok + failed, total, failed, running, bytes / 1024, seconds());
            if (rewrites) System.err.print("\r\033[K" + line);
            else System.err.println(line);
        }
    } finally {
        if (rewrites) System.err.print("\r\033[K");
    }
}

/** True if standard error is a terminal; the JDK can tell that only of input and output together. */
boolean rewrites() {
    try {
        String target = Path.of("/dev/fd/2").toRealPath().toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException notThere) {
        return false;
    }
}

double seconds() {
    return (System.nanoTime() - started) / 1e9;
}

Iterator<String> urls(String[] args) throws IOException {
    if (args.length == 3 && args[0].equals("--generate")) {
        total = Integer.parseInt(args[1]);
        String mark = args[2].contains("?") ? "&n=" : "?n=";
        return java.util.stream.IntStream.range(0, total).mapToObj(i -> args[2] + mark + i).iterator();
    }
    if (args.length > 1 || (args.length == 1 && args[0].startsWith("-"))) {
        System.err.println("usage: FetchAll.java [FILE] | --generate N URL");
        System.exit(2);
    }
    // Reading the file blocks the thread; no other coroutine has anything to do yet.
    var lines = args.length == 1 ? Files.readAllLines(Path.of(args[0])) : new BufferedReader(new InputStreamReader(System.in)).readAllLines();
    var urls = lines.stream().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    total = urls.size();
    return urls.iterator();
}
