package org.trueasync.stress.fuzz;

import java.util.List;
import org.trueasync.http.CookiesFuzz;
import org.trueasync.internal.blackbox.RingFuzz;
import org.trueasync.internal.grpc.MessagesFuzz;
import org.trueasync.internal.http.client.ResponseFuzz;
import org.trueasync.internal.http.files.RangesFuzz;
import org.trueasync.internal.http.h2.ClientFramesFuzz;
import org.trueasync.internal.http.h2.FieldBlockFuzz;
import org.trueasync.internal.http.h2.ServerFramesFuzz;
import org.trueasync.internal.http.message.MultipartFuzz;
import org.trueasync.internal.http.message.TextsFuzz;
import org.trueasync.internal.http.routes.RoutesFuzz;
import org.trueasync.internal.http.server.ProxyHeaderFuzz;
import org.trueasync.internal.http.server.RequestFuzz;
import org.trueasync.internal.http.websocket.WebSocketFuzz;
import org.trueasync.internal.jdbc.SqlFuzz;
import org.trueasync.internal.text.LinesFuzz;
import org.trueasync.launcher.BlackBoxFuzz;
import org.trueasync.launcher.CommandLineFuzz;
import org.trueasync.launcher.JsonFuzz;

/**
 * Code that reads what others write. It throws if it breaks a promise of its own: what it refuses it refuses as
 * documented, and parts change nothing.
 *
 * @param type a class with Jazzer's method {@code fuzzerTestOneInput}; it sits in the package of what it tests
 * @param seeds good and bad inputs to begin with; one that has failed stays here
 */
record Target(Class<?> type, Body body, List<byte[]> seeds) {
    static final List<Target> ALL = List.of(
            new Target(RequestFuzz.class, RequestFuzz::fuzzerTestOneInput, RequestFuzz.SEEDS),
            new Target(ResponseFuzz.class, ResponseFuzz::fuzzerTestOneInput, ResponseFuzz.SEEDS),
            new Target(ProxyHeaderFuzz.class, ProxyHeaderFuzz::fuzzerTestOneInput, ProxyHeaderFuzz.SEEDS),
            new Target(ServerFramesFuzz.class, ServerFramesFuzz::fuzzerTestOneInput, ServerFramesFuzz.SEEDS),
            new Target(ClientFramesFuzz.class, ClientFramesFuzz::fuzzerTestOneInput, ClientFramesFuzz.SEEDS),
            new Target(FieldBlockFuzz.class, FieldBlockFuzz::fuzzerTestOneInput, FieldBlockFuzz.SEEDS),
            new Target(WebSocketFuzz.class, WebSocketFuzz::fuzzerTestOneInput, WebSocketFuzz.SEEDS),
            new Target(TextsFuzz.class, TextsFuzz::fuzzerTestOneInput, TextsFuzz.SEEDS),
            new Target(MultipartFuzz.class, MultipartFuzz::fuzzerTestOneInput, MultipartFuzz.SEEDS),
            new Target(RangesFuzz.class, RangesFuzz::fuzzerTestOneInput, RangesFuzz.SEEDS),
            new Target(RoutesFuzz.class, RoutesFuzz::fuzzerTestOneInput, RoutesFuzz.SEEDS),
            new Target(CookiesFuzz.class, CookiesFuzz::fuzzerTestOneInput, CookiesFuzz.SEEDS),
            new Target(SqlFuzz.class, SqlFuzz::fuzzerTestOneInput, SqlFuzz.SEEDS),
            new Target(CommandLineFuzz.class, CommandLineFuzz::fuzzerTestOneInput, CommandLineFuzz.SEEDS),
            new Target(JsonFuzz.class, JsonFuzz::fuzzerTestOneInput, JsonFuzz.SEEDS),
            new Target(BlackBoxFuzz.class, BlackBoxFuzz::fuzzerTestOneInput, BlackBoxFuzz.SEEDS),
            new Target(RingFuzz.class, RingFuzz::fuzzerTestOneInput, RingFuzz.SEEDS),
            new Target(MessagesFuzz.class, MessagesFuzz::fuzzerTestOneInput, MessagesFuzz.SEEDS),
            new Target(LinesFuzz.class, LinesFuzz::fuzzerTestOneInput, LinesFuzz.SEEDS));

    interface Body {
        void take(byte[] input) throws Exception;
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
