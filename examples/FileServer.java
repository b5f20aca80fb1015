// Serves a folder over HTTP/1.1.
//
//   trueasync run FileServer.java [FOLDER [PORT [ADDRESS]]]        the current folder, 8000 and 127.0.0.1 without them
//
// GET and HEAD, index.html or a list for a folder, conditional requests, byte ranges, text compressed for who wants it.
// Whatever lies outside the folder is refused, also behind "..", also behind a symbolic link. On Ctrl-C or SIGTERM it
// accepts nothing more, sends what is under way to its end, and stops.

import org.trueasync.http.FileHandler;
import org.trueasync.http.HttpFilter;
import org.trueasync.http.HttpServer;

void main(String[] args) {
    Path folder = Path.of(args.length > 0 ? args[0] : "").toAbsolutePath();
    var files = new FileHandler(folder).listings(true).precompressed(true).cacheControl("no-cache");
    HttpFilter shown = (exchange, next) -> {
        next.handle(exchange);
        IO.println(exchange.status() + " " + exchange.method() + " " + exchange.path());
    };
    HttpServer server = HttpServer.builder()
            .host(args.length > 2 ? args[2] : "127.0.0.1")
            .port(args.length > 1 ? Integer.parseInt(args[1]) : 8000)
            .compress(1024)
            .listen(shown.around(files));
    IO.println("serving " + folder + " at http:/" + server.localAddress() + "/");
}
