package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.http.Http2Peer.*;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.TestRuntime;

/** The client beside servers that break HTTP/2, or use what few do: no call hangs, and the next one is served. */
@Timeout(10)
class Http2ClientHostileTest {
    private static final byte[] OK = fields(":status", "200");

    /** A connection of a server that speaks frames. */
    private static final class Frames {
        final Scripted.Peer peer;
        final List<Frame> came = new ArrayList<>();
        private final DataInputStream in;

        Frames(Scripted.Peer peer, int... settings) throws IOException {
            this.peer = peer;
            this.in = new DataInputStream(peer.socket.getInputStream());
            in.readFully(new byte[PREFACE.length()]);
            ByteBuffer values = ByteBuffer.allocate(settings.length * 3);
            for (int i = 0; i < settings.length; i += 2)
                values.putShort((short) settings[i]).putInt(settings[i + 1]);
            send(SETTINGS, 0, 0, values.array());
        }

        Frames send(int type, int flags, int id, byte[] payload) throws IOException {
            return raw(frame(type, flags, id, payload));
        }

        Frames raw(byte[] bytes) throws IOException {
            peer.socket.getOutputStream().write(bytes);
            return this;
        }

        Frames number(int type, int id, int value) throws IOException {
            return send(type, 0, id, ByteBuffer.allocate(4).putInt(value).array());
        }

        Frames text(int id, String text, boolean last) throws IOException {
            return send(DATA, last ? END_STREAM : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
        }

        Frames answer(int id, String text) throws IOException {
            return send(HEADERS, END_HEADERS, id, OK).text(id, text, true);
        }

        Frames goAway(int last, int code, String why) throws IOException {
            byte[] text = why.getBytes(StandardCharsets.ISO_8859_1);
            return send(
                    GO_AWAY,
                    0,
                    0,
                    ByteBuffer.allocate(8 + text.length)
                            .putInt(last)
                            .putInt(code)
                            .put(text)
                            .array());
        }

        Frame next() throws IOException {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            var frame = new Frame(in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), new byte[length]);
            in.readFully(frame.payload());
            came.add(frame);
            return frame;
        }

        Frame await(int type) throws IOException {
            while (true) {
                Frame frame = next();
                boolean isAck = type != HEADERS && type != DATA && frame.flags() == ACK;
                if (frame.type() == type && !isAck) return frame;
            }
        }

        /** Reads to the client's end. */
        void rest() throws IOException {
            while (true) next();
        }
    }

    @FunctionalInterface
    private interface Script {
        void serve(Frames frames) throws Exception;
    }

    @FunctionalInterface
    private interface Calls {
        void make(HttpClient client, Scripted server) throws Exception;
    }

    private static void serve(String reactor, Script script, Calls calls) {
        serve(reactor, client -> client, peer -> script.serve(new Frames(peer)), calls);
    }

    private static void serve(
            String reactor, UnaryOperator<HttpClient.Builder> settings, Scripted.Script script, Calls calls) {
        var reports = Http.run(reactor, () -> {
            try (var server = new Scripted(script);
                    var client =
                            settings.apply(HttpClient.builder().http2Only()).build()) {
                calls.make(client, server);
                for (var pool : client.stats().values())
                    assertThat(pool.active()).isZero();
            }
        });
        assertThat(reports).isEmpty();
    }

    private static AbstractThrowableAssert<?, ?> fails(HttpClient client, Scripted server) {
        return assertThatThrownBy(() -> client.get(server.origin()).text()).isInstanceOf(InputOutputException.class);
    }

    /** The first connection does that once a request has come; the second one is well. */
    private static void breaks(String reactor, String message, Script script) {
        var ends = new ArrayList<String>();
        serve(
                reactor,
                frames -> {
                    frames.await(HEADERS);
                    if (frames.peer.number > 1) {
                        frames.answer(1, "well").rest();
                        return;
                    }
                    script.serve(frames);
                    try {
                        frames.rest();
                    } finally {
                        ends.add("closed by the client");
                    }
                },
                (client, server) -> {
                    // POST, so that nothing is tried again
                    assertThatThrownBy(() -> client.request("POST", server.origin())
                                    .body("x")
                                    .send()
                                    .text())
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining(message);
                    while (ends.isEmpty()) delay(1);
                    assertThat(client.get(server.origin()).text()).isEqualTo("well");
                });
    }

    // ---- one that can't be made

    @EachReactor
    void silentServer_callsThatWaitForTheConnection_failTogether(String reactor) {
        serve(
                reactor,
                settings -> settings.connectTimeout(Duration.ofMillis(150)),
                peer -> delay(60_000),
                (client, server) -> {
                    var calls = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < 50; i++) calls.add(spawn(() -> client.get(server.origin())));
                    for (Coroutine<?> call : calls)
                        assertThatThrownBy(() -> await(call)).hasMessageContaining("after 150 ms (connectTimeout)");
                    assertThat(server.accepted()).isEqualTo(1);

                    fails(client, server).hasMessageContaining("after 150 ms (connectTimeout)");
                    assertThat(server.accepted()).as("a later call tries").isEqualTo(2);
                });
    }

    // ---- what breaks the connection

    @EachReactor
    void badPacking_endsTheConnection(String reactor) {
        breaks(reactor, "invalid_hpack_block", frames -> frames.send(HEADERS, END_HEADERS, 1, hex("ff ff ff")));
    }

    @EachReactor
    void endlessHead_endsTheConnection(String reactor) {
        breaks(reactor, "", frames -> {
            frames.send(HEADERS, 0, 1, fields(":status", "200"));
            byte[] more = fields("x-y", "z".repeat(8_000));
            for (int i = 0; i < 12; i++) frames.send(CONTINUATION, 0, 1, more);
        });
    }

    @EachReactor
    void frameOfAnotherStreamInAHead_endsTheConnection(String reactor) {
        breaks(reactor, "", frames -> frames.send(HEADERS, 0, 1, OK).send(DATA, 0, 1, new byte[1]));
    }

    @EachReactor
    void dataOfAStreamThatHasEnded_endsTheConnection(String reactor) {
        breaks(reactor, "", frames -> {
            frames.text(3, "x", false);
        });
    }

    @EachReactor
    void push_endsTheConnection(String reactor) {
        breaks(
                reactor,
                "",
                frames -> frames.send(
                        PUSH,
                        END_HEADERS,
                        1,
                        ByteBuffer.allocate(4 + OK.length).putInt(2).put(OK).array()));
    }

    @EachReactor
    void headWithoutARequest_endsTheConnection(String reactor) {
        breaks(reactor, "a response without a request", frames -> frames.send(HEADERS, END_HEADERS, 5, OK));
    }

    @EachReactor
    void windowThatIsTooWide_endsTheConnection(String reactor) {
        breaks(
                reactor,
                "the window of the connection is too wide",
                frames -> frames.number(WINDOW, 0, Integer.MAX_VALUE));
    }

    @EachReactor
    void floods_endTheConnection(String reactor) {
        breaks(reactor, "", frames -> {
            byte[] ping = frame(PING, 0, 0, new byte[8]);
            byte[] many = new byte[ping.length * 2_500];
            for (int i = 0; i < 2_500; i++) System.arraycopy(ping, 0, many, i * ping.length, ping.length);
            frames.raw(many);
        });
        breaks(reactor, "", frames -> {
            byte[] settings = frame(SETTINGS, 0, 0, new byte[0]);
            byte[] many = new byte[settings.length * 2_500];
            for (int i = 0; i < 2_500; i++) System.arraycopy(settings, 0, many, i * settings.length, settings.length);
            frames.raw(many);
        });
    }

    // ---- what breaks a call alone

    /** The first request gets that; the second one on the same connection is served. */
    private static void breaksACall(String reactor, String message, Script script) {
        serve(
                reactor,
                frames -> {
                    frames.await(HEADERS);
                    script.serve(frames);
                    int id = frames.await(HEADERS).id();
                    frames.answer(id, "well").rest();
                },
                (client, server) -> {
                    fails(client, server).hasMessageContaining(message);
                    assertThat(client.get(server.origin()).text()).isEqualTo("well");
                    assertThat(server.accepted()).isOne();
                });
    }

    @EachReactor
    void malformedHeads_endTheirCall(String reactor) {
        List<byte[]> heads = List.of(
                fields("x-a", "b"),
                fields(":status", "20"),
                fields(":status", "200", ":status", "200"),
                fields("x-a", "b", ":status", "200"),
                fields(":status", "200", "X-A", "b"),
                fields(":status", "200", "connection", "close"),
                fields(":status", "101"),
                fields(":status", "200", "content-length", "x"));
        for (byte[] head : heads)
            breaksACall(reactor, "malformed head", frames -> frames.send(HEADERS, END_HEADERS, 1, head));
    }

    @EachReactor
    void headThatIsTooLarge_endsItsCall(String reactor) {
        breaksACall(reactor, "its head has more than 32768 bytes (maxHeaderBytes)", frames -> frames.send(
                        HEADERS, 0, 1, fields(":status", "200", "x-a", "b".repeat(16_000)))
                .send(CONTINUATION, 0, 1, fields("x-b", "b".repeat(16_000)))
                .send(CONTINUATION, END_HEADERS, 1, fields("x-c", "b".repeat(2_000))));
    }

    @EachReactor
    void bodiesThatAreWrong_endTheirCall(String reactor) {
        breaksACall(reactor, "content-length", frames -> frames.send(
                        HEADERS, END_HEADERS, 1, fields(":status", "200", "content-length", "3"))
                .text(1, "four", true));
        breaksACall(reactor, "content-length", frames -> frames.send(
                        HEADERS, END_HEADERS, 1, fields(":status", "200", "content-length", "3"))
                .text(1, "2", true));
        breaksACall(reactor, "content-length", frames -> frames.text(1, "before the head", true));
        breaksACall(reactor, "it has no head", frames -> frames.text(1, "", true));
        breaksACall(reactor, "no trailers", frames -> frames.send(HEADERS, END_HEADERS, 1, OK)
                .send(HEADERS, END_HEADERS | END_STREAM, 1, OK));
        breaksACall(reactor, "the server has reset the stream (internal_error)", frames -> frames.number(RESET, 1, 2));
    }

    @EachReactor
    void moreThanTheWindow_endsItsCall(String reactor) {
        serve(
                reactor,
                frames -> {
                    frames.await(HEADERS);
                    frames.send(HEADERS, END_HEADERS, 1, OK);
                    for (int i = 0; i < 17; i++) frames.send(DATA, 0, 1, new byte[16 * 1024]);
                    frames.answer(frames.await(HEADERS).id(), "well").rest();
                },
                (client, server) -> {
                    var response = client.get(server.origin());
                    assertThat(client.get(server.origin()).text()).isEqualTo("well");
                    assertThatThrownBy(response::text).hasMessageContaining("more than the window of the stream");
                });
    }

    @EachReactor
    void interimHeadsWithoutEnd_endTheirCall(String reactor) {
        breaksACall(reactor, "", frames -> {
            for (int i = 0; i < 110; i++) frames.send(HEADERS, END_HEADERS, 1, fields(":status", "103"));
        });
    }

    @EachReactor
    void silence_endsItsCallAndTheConnection(String reactor) {
        serve(
                reactor,
                client -> client.readTimeout(Duration.ofMillis(50)),
                peer -> {
                    var frames = new Frames(peer);
                    frames.await(HEADERS);
                    if (peer.number > 1) frames.answer(1, "well");
                    frames.rest();
                },
                (client, server) -> {
                    fails(client, server).hasMessageContaining("the server has sent no byte for 50 ms (readTimeout)");
                    assertThat(client.get(server.origin()).text()).isEqualTo("well");
                });
    }

    @EachReactor
    void serverThatLeaves_endsAllItsCalls(String reactor) {
        serve(
                reactor,
                frames -> {
                    frames.await(HEADERS);
                    frames.await(HEADERS);
                    frames.send(HEADERS, END_HEADERS, 1, OK).goAway(3, 11, "calm down");
                },
                (client, server) -> {
                    var all = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < 2; i++)
                        all.add(spawn(() ->
                                fails(client, server).hasMessageContaining("enhance_your_calm_error 'calm down'")));
                    for (var one : all) Async.await(one);
                });
    }

    @EachReactor
    void serverThatSpeaksSomethingElse_isNamed(String reactor) {
        serve(
                reactor,
                client -> client,
                peer -> peer.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                        .silence(),
                (client, server) -> fails(client, server).hasMessageContaining("does not speak HTTP/2"));
        serve(
                reactor,
                client -> client.connectTimeout(Duration.ofMillis(50)),
                Scripted.Peer::silence,
                (client, server) -> fails(client, server).hasMessageContaining("connectTimeout"));
    }

    // ---- what is sent again

    @EachReactor
    void requestThatWasNotLookedAt_isSentAgain(String reactor) {
        var bodies = new ArrayList<String>();
        serve(
                reactor,
                frames -> {
                    int id = frames.await(HEADERS).id();
                    if (frames.peer.number == 1) {
                        frames.goAway(0, 0, "").rest();
                        return;
                    }
                    bodies.add(new String(frames.await(DATA).payload(), StandardCharsets.ISO_8859_1));
                    frames.number(RESET, id, REFUSED);
                    id = frames.await(HEADERS).id();
                    frames.answer(id, "at last").rest();
                },
                (client, server) -> {
                    assertThat(client.request("POST", server.origin())
                                    .body("once")
                                    .send()
                                    .text())
                            .isEqualTo("at last");
                    assertThat(server.accepted()).isEqualTo(2);
                    assertThat(client.retries()).isEqualTo(2);
                });
        assertThat(bodies).containsExactly("once");
    }

    @EachReactor
    void serverThatRefusesAlways_isAskedThreeTimes(String reactor) {
        int[] asked = new int[1];
        serve(
                reactor,
                frames -> {
                    while (true) {
                        int id = frames.await(HEADERS).id();
                        asked[0]++;
                        frames.number(RESET, id, REFUSED);
                    }
                },
                (client, server) -> fails(client, server).hasMessageContaining("refused_stream"));
        assertThat(asked[0]).isEqualTo(3);
    }

    @EachReactor
    void connectionThatWasClosedWhileIdle_isReplaced(String reactor) {
        serve(reactor, frames -> frames.answer(frames.await(HEADERS).id(), "ok"), (client, server) -> {
            for (int i = 0; i < 3; i++)
                assertThat(client.get(server.origin()).text()).isEqualTo("ok");
            assertThat(server.accepted()).isEqualTo(3);
        });
    }

    // ---- what servers may ask for

    @EachReactor
    void streamsAtATime_areThoseThatTheServerAllows(String reactor) {
        serve(
                reactor,
                client -> client,
                peer -> {
                    var frames = new Frames(peer, 3, 1); // MAX_CONCURRENT_STREAMS
                    while (true) {
                        int id = frames.await(HEADERS).id();
                        delay(20);
                        frames.answer(id, "of " + peer.number);
                    }
                },
                (client, server) -> {
                    var one = spawn(() -> client.get(server.origin()).text());
                    var two = spawn(() -> client.get(server.origin()).text());
                    assertThat(List.of(Async.await(one), Async.await(two))).containsExactlyInAnyOrder("of 1", "of 2");
                });
    }

    @EachReactor
    void largestValues_areNoLimits(String reactor) {
        serve(
                reactor,
                client -> client,
                peer -> {
                    var frames = new Frames(peer, 3, -1, 6, -1); // MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE
                    frames.answer(frames.await(HEADERS).id(), "ok").rest();
                },
                (client, server) ->
                        assertThat(client.get(server.origin()).text()).isEqualTo("ok"));
    }

    @EachReactor
    void pings_areAnsweredWhileNobodyReads(String reactor) {
        var answers = new ArrayList<Frame>();
        serve(
                reactor,
                frames -> {
                    frames.answer(frames.await(HEADERS).id(), "ok");
                    frames.send(PING, 0, 0, hex("01 02 03 04 05 06 07 08"));
                    while (frames.next().type() != PING) {}
                    answers.add(frames.came.getLast());
                    frames.rest();
                },
                (client, server) -> {
                    client.get(server.origin()).text();
                    while (answers.isEmpty()) delay(5);
                });
        assertThat(answers.getFirst().flags()).isEqualTo(ACK);
        assertThat(answers.getFirst().payload()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @EachReactor
    void smallWindow_holdsABodyBack(String reactor) {
        var sizes = new ArrayList<Integer>();
        serve(
                reactor,
                client -> client,
                peer -> {
                    var frames = new Frames(peer, 4, 10); // INITIAL_WINDOW_SIZE
                    int id = frames.await(HEADERS).id();
                    Frame part;
                    do {
                        part = frames.await(DATA);
                        sizes.add(part.payload().length);
                        if (!part.isLast()) frames.number(WINDOW, id, 7);
                    } while (!part.isLast());
                    frames.answer(id, "ok").rest();
                },
                (client, server) -> assertThat(client.request("POST", server.origin())
                                .body("0123456789".repeat(3))
                                .send()
                                .text())
                        .isEqualTo("ok"));
        assertThat(sizes.stream().mapToInt(i -> i).sum()).isEqualTo(30);
        assertThat(sizes.getFirst()).isEqualTo(10);
    }

    @EachReactor
    @Tag("deep")
    void callsThatAreGivenUpInSilence_leaveTheConnection(String reactor) {
        serve(
                reactor,
                frames -> {
                    int id = frames.await(HEADERS).id();
                    if (frames.peer.number > 1) frames.answer(id, "well");
                    frames.rest();
                },
                (client, server) -> {
                    assertThatThrownBy(() -> withTimeout(Duration.ofMillis(20), () -> {
                                client.get(server.origin()).text();
                            }))
                            .isInstanceOf(org.trueasync.AsyncTimeoutException.class);
                    delay(1_100); // the sign of life does not come
                    assertThat(client.get(server.origin()).text()).isEqualTo("well");
                });
    }

    /** The connection is closed with the call, as the server has said that it ends. */
    @Test
    void bodyThatIsWrittenOnAfterItsCallWasCancelled_getsAnErrorOfTheStream() {
        var seen = new ArrayList<Throwable>();
        TestRuntime.run(() -> {
            var server = new Http2Answers(Http2Answers.Holds.WINDOWS);
            try (var client = HttpClient.builder().http2Only().build()) {
                var call = spawn(() -> client.request("POST", server.at("/upload"))
                        .body(out -> {
                            try {
                                delay(60_000);
                            } finally {
                                try {
                                    out.write(new byte[100_000]);
                                } catch (IOException | RuntimeException e) {
                                    seen.add(e);
                                }
                            }
                        })
                        .send());
                delay(10);
                server.links.getFirst().goAway(1);
                delay(10);
                call.cancel();
                assertThatThrownBy(() -> await(call)).isInstanceOf(AsyncCancellation.class);
            }
            server.close();
        });
        assertThat(seen).hasSize(1).allMatch(e -> e instanceof IOException);
    }
}
