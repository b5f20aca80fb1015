package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P33")
class ResetWireTest {
    private static final byte[] QUERY = message('Q', "select 1\0");
    private static final byte[] READY = message('Z', "I");

    private final ResetMessages reset = new ResetMessages(List.of("RESET ALL"));
    private final List<byte[]> packets = new ArrayList<>();
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
    private int received;
    private int atOnce = Integer.MAX_VALUE;
    private final ResetWire wire = new ResetWire(new Server(), new Packets(), reset);

    private final class Packets extends OutputStream {
        @Override
        public void write(int one) {
            throw new AssertionError("one byte in a packet of its own");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            packets.add(java.util.Arrays.copyOfRange(bytes, offset, offset + length));
        }
    }

    private final class Server extends InputStream {
        @Override
        public int read() {
            throw new AssertionError("not read in one byte");
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            int count = Math.min(Math.min(available(), length), atOnce);
            if (count == 0) return -1;
            System.arraycopy(answers.toByteArray(), received, bytes, offset, count);
            received += count;
            return count;
        }

        @Override
        public int available() {
            return answers.size() - received;
        }
    }

    private static byte[] message(char type, String body) {
        byte[] text = body.getBytes(StandardCharsets.UTF_8);
        var all = new ByteArrayOutputStream();
        all.writeBytes(new byte[] {(byte) type, 0, 0, 0, (byte) (4 + text.length)});
        all.writeBytes(text);
        return all.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) all.writeBytes(part);
        return all.toByteArray();
    }

    private void complete(int statements) {
        for (int i = 0; i < statements; i++) {
            answers.writeBytes(message('2', ""));
            answers.writeBytes(message('C', "RESET\0"));
        }
    }

    private void prepared() throws IOException {
        complete(reset.statements);
        answers.writeBytes(READY);
        wire.prepareAndRun();
        packets.clear();
    }

    private byte[] all(int length) throws IOException {
        return wire.in.readNBytes(length);
    }

    private static byte[] sync() {
        return message('S', "");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 10_000})
    void dueReset_goesInFrontOfTheNextMessageAndItsAnswerIsTakenOut(int bytesAtOnce) throws IOException {
        prepared();
        atOnce = bytesAtOnce;
        assertThat(wire.require()).isTrue();
        wire.out.write(QUERY);
        assertThat(packets).containsExactly(joined(reset.execute, QUERY));
        assertThat(wire.isAhead()).isTrue();

        answers.writeBytes(message('A', "a notification of the last user"));
        complete(2);
        byte[] setting = message('S', "TimeZone\0UTC\0");
        answers.writeBytes(setting);
        complete(reset.statements - 2);
        byte[] answer = joined(message('C', "SELECT 1\0"), message('A', "of the next one"), READY);
        answers.writeBytes(answer);
        assertThat(all(setting.length + answer.length)).isEqualTo(joined(setting, answer));
        assertThat(wire.isAhead()).isFalse();
        assertThat(wire.in.available()).isZero();

        wire.out.write(QUERY);
        assertThat(packets.getLast()).isEqualTo(QUERY);
    }

    @Test
    void resetThatFails_theDriverGetsItsReasonAndSendsNothingMore() throws IOException {
        prepared();
        wire.require();
        wire.out.write(QUERY);
        answers.writeBytes(message('E', "SERROR\0C57014\0Mcanceled\0\0"));
        answers.writeBytes(READY);
        for (int i = 0; i < 2; i++) assertThatThrownBy(() -> all(1)).hasMessageContaining("canceled");
        assertThatThrownBy(() -> wire.out.write(QUERY)).hasMessageContaining("canceled");
        assertThat(packets).hasSize(1);
    }

    @Test
    void resetThatNobodyTakesAlong_isSentAloneAndOnce() throws IOException {
        prepared();
        wire.require();
        wire.flush();
        wire.flush();
        assertThat(packets).containsExactly(joined(reset.execute, sync()));
        assertThat(wire.isDue()).isFalse();
        assertThat(wire.isAhead()).isTrue();
        wire.look();
        complete(reset.statements);
        wire.look();
        assertThat(wire.isAhead()).isTrue();
        answers.writeBytes(READY);
        wire.look();
        assertThat(wire.isAhead()).isFalse();
        assertThat(wire.require()).isTrue();
    }

    @Test
    void behindASyncOfItsOwn_nothingIsSentBeforeItsAnswer() throws IOException {
        prepared();
        wire.require();
        wire.flush();
        complete(1);
        answers.writeBytes(message('E', "Mno\0\0"));
        answers.writeBytes(READY);
        assertThatThrownBy(() -> wire.out.write(QUERY)).hasMessageContaining("no");
        assertThat(packets).hasSize(1);
    }

    @Test
    void failureThatHasCome_isSeenWithoutAWait() throws IOException {
        prepared();
        wire.require();
        wire.flush();
        wire.look();
        answers.writeBytes(message('E', "Mterminated\0\0"));
        assertThatThrownBy(wire::look).hasMessageContaining("terminated");
    }

    @Test
    void readingWithoutAMessage_sendsTheResetFirst() throws IOException {
        prepared();
        wire.require();
        assertThat(wire.in.available()).isZero();
        answers.writeBytes(message('A', "of the last user"));
        complete(reset.statements);
        answers.writeBytes(READY);
        byte[] later = message('A', "of the next one");
        answers.writeBytes(later);
        assertThat(all(later.length)).isEqualTo(later);
        assertThat(packets).containsExactly(joined(reset.execute, sync()));
    }

    @Test
    void bytesThatTheDriverHasNotRead_noResetRides() throws IOException {
        prepared();
        wire.isReadBy(new java.io.ByteArrayInputStream(new byte[3]));
        assertThat(wire.require()).isFalse();
        assertThat(wire.isAhead()).isFalse();
    }

    @Test
    void endOfTheSession_needsNoReset() throws IOException {
        prepared();
        wire.require();
        byte[] terminate = message('X', "");
        wire.out.write(terminate);
        assertThat(packets).containsExactly(terminate);
    }

    @Test
    void endOfTheStream_isAnError() throws IOException {
        prepared();
        wire.require();
        wire.out.write(QUERY);
        assertThatThrownBy(() -> all(1)).isInstanceOf(IOException.class);
    }
}
