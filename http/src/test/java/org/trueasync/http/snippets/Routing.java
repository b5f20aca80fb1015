package org.trueasync.http.snippets;

import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.trueasync.http.FileHandler;
import org.trueasync.http.HttpException;
import org.trueasync.http.HttpFilter;
import org.trueasync.http.HttpServer;
import org.trueasync.http.Routes;

/** The examples in the javadoc of {@link Routes} and {@link HttpFilter}: they compile. */
abstract class Routing {
    abstract String find(String path);

    void routes() {
        // @start region="routes" :
        var routes = new Routes()
                .get("/users/{id}", exchange -> exchange.respond("user " + exchange.pathParameter("id")))
                .post("/users", exchange -> exchange.respond(201, "made of " + exchange.text()))
                .get("/pages/{path...}", exchange -> exchange.respond(find(exchange.pathParameter("path"))));
        HttpServer.listen(8080, routes);
        // @end
    }

    void files() {
        // @start region="files" :
        var routes = new Routes().under("/static", new FileHandler(Path.of("public")).cacheControl("max-age=3600"));
        HttpServer.listen(8080, routes);
        // @end
    }

    void filter(Routes routes) {
        // @start region="filter" :
        HttpFilter missing = (exchange, next) -> {
            try {
                next.handle(exchange);
            } catch (NoSuchElementException e) {
                throw new HttpException(404, "there is no " + exchange.path());
            }
        };
        HttpServer.listen(8080, missing.around(routes));
        // @end
    }
}
