package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Jetty;

/**
 * Jetty's parsers, lent for one request after another. A parser remembers header fields in 100 KiB: too much for each
 * connection, and one that all connections share stays in the processor's cache. So a few have that memory; whoever
 * comes when these are lent gets one without. Loop thread.
 */
final class Parsers {
    private static final int REMEMBERING = 8;
    /** Without its check of Host, as it refuses good ones and takes bad ones: see {@link HeadRules}. */
    private static final HttpCompliance STRICT;

    static {
        Jetty.load(); // before any other class of Jetty that logs
        STRICT = HttpCompliance.STRICT.with("TRUEASYNC", HttpCompliance.Violation.UNSAFE_HOST_HEADER);
    }

    private final int maxHeaderBytes;
    private final ArrayDeque<Lent> free = new ArrayDeque<>();
    private int remembering;

    Parsers(int maxHeaderBytes) {
        this.maxHeaderBytes = maxHeaderBytes;
    }

    Lent lend(HttpParser.RequestHandler user) {
        Lent lent = free.pollLast();
        if (lent == null) {
            lent = new Lent(maxHeaderBytes, remembering < REMEMBERING);
            if (lent.remembers) remembering++;
        }
        lent.user = user;
        return lent;
    }

    /**
     * Takes a parser back.
     *
     * @param isIntact false if it was stopped in the middle, or has seen the end of the input
     */
    void giveBack(Lent lent, boolean isIntact) {
        lent.user = null;
        if (!lent.remembers) return;
        if (!isIntact) {
            remembering--;
            return;
        }
        lent.parser.reset();
        free.addLast(lent);
    }

    /** A parser, and who uses it. */
    static final class Lent implements HttpParser.RequestHandler {
        final HttpParser parser;
        private final boolean remembers;
        private HttpParser.@Nullable RequestHandler user;

        private Lent(int maxHeaderBytes, boolean remembers) {
            this.remembers = remembers;
            parser = new HttpParser(this, maxHeaderBytes, STRICT);
            if (!remembers) parser.setHeaderCacheSize(0);
        }

        private HttpParser.RequestHandler user() {
            if (user == null) throw new IllegalStateException("the parser is not lent");
            return user;
        }

        @Override
        public void messageBegin() {
            user().messageBegin();
        }

        @Override
        public void startRequest(String method, String uri, HttpVersion version) {
            user().startRequest(method, uri, version);
        }

        @Override
        public void parsedHeader(HttpField field) {
            user().parsedHeader(field);
        }

        @Override
        public void parsedTrailer(HttpField field) {
            user().parsedTrailer(field);
        }

        @Override
        public boolean headerComplete() {
            return user().headerComplete();
        }

        @Override
        public boolean content(ByteBuffer part) {
            return user().content(part);
        }

        @Override
        public boolean contentComplete() {
            return user().contentComplete();
        }

        @Override
        public boolean messageComplete() {
            return user().messageComplete();
        }

        @Override
        public void earlyEOF() {
            user().earlyEOF();
        }

        @Override
        public void badMessage(HttpException failure) {
            user().badMessage(failure);
        }
    }
}
