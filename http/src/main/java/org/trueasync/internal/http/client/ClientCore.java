package org.trueasync.internal.http.client;

import java.io.IOException;
import java.net.CookieHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.InputOutputException;
import org.trueasync.Pool;
import org.trueasync.PoolStats;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.Trace;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** A client: a pool of connections for each origin, and what it does around an exchange: cookies and redirects. */
public final class ClientCore {
    /** Beyond so many, pools without connections go, those first that have not been used for longest. */
    private static final int KEPT_POOLS = 256;

    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

    final ClientSettings settings;
    private final Loop loop;
    private final Map<Origin, Pool<ClientWire>> pools = new LinkedHashMap<>(16, 0.75f, true);
    /** A copy of {@link #pools} for other threads, made when a pool comes or goes. */
    private volatile Map<Origin, Pool<ClientWire>> told = Map.of();

    private boolean closed;
    long retries;

    /**
     * Makes one for the runtime of the caller.
     *
     * @param settings not changed any more
     */
    public ClientCore(ClientSettings settings) {
        this.settings = settings;
        this.loop = Runtimes.here("HttpClient.build");
    }

    /** Sends a request, follows redirects if it is told to, and returns the exchange once the head has come. */
    public ClientExchange send(ClientRequest first) {
        loop.requireLoopThread("HttpClient.send");
        ClientRequest request = first;
        for (int redirects = 0; ; redirects++) {
            ClientExchange exchange = sendOne(request);
            boolean isLast = false;
            try {
                ClientRequest next = settings.maxRedirects == 0 ? null : Redirects.next(request, exchange);
                if (next == null) {
                    isLast = true;
                    return exchange;
                }
                if (redirects == settings.maxRedirects)
                    throw new InputOutputException(
                            first + ": more than " + redirects + " redirects, the last one to " + next.uri, "ELOOP");
                request = next;
            } finally {
                if (!isLast) exchange.close();
            }
        }
    }

    private ClientExchange sendOne(ClientRequest request) {
        CookieHandler cookies = settings.cookies;
        ClientRequest sent = cookies == null ? request : withCookies(request, cookies);
        if (settings.sendsTrace) sent = sent.and(Trace.ofCall(request.fields));
        var exchange = new ClientExchange(this, sent, pool(sent.origin));
        exchange.run();
        if (cookies == null) return exchange;
        boolean done = false;
        try {
            cookies.put(request.uri, asMap(exchange.fields()));
            done = true;
        } catch (IOException e) {
            throw new InputOutputException(request + ": the cookies can't be kept: " + e.getMessage(), "", e);
        } finally {
            if (!done) exchange.close();
        }
        return exchange;
    }

    private static ClientRequest withCookies(ClientRequest request, CookieHandler cookies) {
        Map<String, List<String>> found;
        try {
            found = cookies.get(request.uri, asMap(request.fields));
        } catch (IOException e) {
            throw new InputOutputException(request + ": the cookies can't be read: " + e.getMessage(), "", e);
        }
        var fields = new LinkedHashMap<String, String>();
        found.forEach((name, values) -> {
            if (!values.isEmpty()) fields.put(name, String.join("; ", values));
        });
        return request.and(fields);
    }

    private static Map<String, List<String>> asMap(Fields fields) {
        var map = new HashMap<String, List<String>>();
        for (HttpField field : fields)
            map.computeIfAbsent(field.getName(), name -> new ArrayList<>(1)).add(Fields.value(field));
        return map;
    }

    // ---- pools

    private Pool<ClientWire> pool(Origin origin) {
        if (closed) throw new IllegalStateException("the HTTP client was closed");
        Pool<ClientWire> known = pools.get(origin);
        if (known != null) return known;
        if (pools.size() >= KEPT_POOLS) removeUnused();
        var builder = Pool.with(new Connections(loop, settings, origin))
                .name(origin.toString())
                .max(settings.maxConnections)
                .healthcheckInterval(checkInterval());
        if (settings.breaker != null) builder.circuitBreaker(settings.breaker.get());
        Pool<ClientWire> made = builder.build();
        pools.put(origin, made);
        told = new LinkedHashMap<>(pools);
        return made;
    }

    /** How often idle connections are looked at, so that one that nobody uses any more is closed. */
    private Duration checkInterval() {
        Duration half = settings.keepAlive.dividedBy(2);
        return half.compareTo(LONGEST_CHECK) < 0 ? half : LONGEST_CHECK;
    }

    private void removeUnused() {
        for (Iterator<Pool<ClientWire>> all = pools.values().iterator(); all.hasNext(); ) {
            Pool<ClientWire> pool = all.next();
            if (pool.count() > 0) continue;
            all.remove();
            pool.close();
            return;
        }
    }

    void giveBack(Pool<ClientWire> pool, ClientWire connection, boolean reusable) {
        connection.rest(now());
        if (reusable) pool.release(connection);
        else if (settings.breaker == null) pool.discard(connection);
        else {
            // the breaker hears of a success only by a release; the pool refuses the closed one at the next acquire
            connection.close();
            pool.release(connection);
        }
    }

    long now() {
        return loop.reactor().nanoTime();
    }

    void throwAway(Pool<ClientWire> pool, ClientWire connection) {
        if (connection.hasFailed && settings.breaker != null) pool.release(connection);
        else pool.discard(connection);
    }

    /** The figures of each pool, by origin. Any thread. */
    public Map<String, PoolStats> stats() {
        var all = new LinkedHashMap<String, PoolStats>();
        told.forEach((origin, pool) -> all.put(origin.toString(), pool.stats()));
        return all;
    }

    /** How many requests were sent again, as an idle connection had been closed by the server. Any thread. */
    public long retries() {
        return retries;
    }

    /** Closes the idle connections; those in use are closed when their calls end. */
    public void close() {
        loop.requireLoopThread("HttpClient.close");
        closed = true;
        List<Pool<ClientWire>> all = List.copyOf(pools.values());
        pools.clear();
        told = Map.of();
        for (Pool<ClientWire> pool : all) pool.close();
    }
}
