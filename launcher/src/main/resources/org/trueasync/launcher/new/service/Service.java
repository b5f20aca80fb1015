package @package@;

import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpServer;
import org.trueasync.http.JsonCodec;
import org.trueasync.http.Routes;

/**
 * Offers over HTTP, as JSON. Each request is a coroutine with plain blocking code. All of them run on one thread, so
 * that plain fields need no lock.
 */
final class Service {
    record Offer(String item, int price, int stock) {}

    private final Suppliers suppliers;
    private final Map<String, Integer> asked = new TreeMap<>();

    Service(Suppliers suppliers) {
        this.suppliers = suppliers;
    }

    HttpServer listen(int port) {
        var routes = new Routes()
                .get("/offers/{item}", this::offer)
                .get("/asked", exchange -> exchange.json(asked))
                .get("/live", exchange -> exchange.respond("yes"));
        return HttpServer.builder()
                .port(port)
                .requestTimeout(Duration.ofSeconds(5))
                .json(JsonCodec.installed()) // loaded now, not by the first request
                .problemDetails(true)
                .listen(routes);
    }

    /** Asks for price and stock at the same time. If one of them fails or takes too long, the other is cancelled. */
    private void offer(Exchange exchange) throws Exception {
        String item = exchange.pathParameter("item");
        asked.merge(item, 1, Integer::sum);
        var price = spawn(() -> suppliers.price(item));
        var stock = spawn(() -> suppliers.stock(item));
        exchange.json(new Offer(item, await(price), await(stock)));
    }
}
