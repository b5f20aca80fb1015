package org.trueasync.internal.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnlockedPrintStreamTest {
    private static final class Collecting extends UnlockedPrintStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<Integer> pieces = new ArrayList<>();
        private @Nullable IOException failure;
        private boolean ended;

        Collecting(Charset charset) {
            super(charset);
        }

        @Override
        protected void emit(byte[] all, int offset, int length) throws IOException {
            if (failure != null) throw failure;
            assertThat(Thread.holdsLock(this)).isFalse();
            bytes.write(all, offset, length);
            pieces.add(length);
        }

        @Override
        protected void end() {
            ended = true;
        }
    }

    private record Printing(String name, Consumer<PrintStream> calls) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Printing> printings() {
        var all = new ArrayList<Printing>();
        Object none = null;
        all.add(new Printing("print", out -> {
            out.print(true);
            out.print('c');
            out.print(1);
            out.print(2L);
            out.print(1.5f);
            out.print(2.5);
            out.print(new char[] {'a', 'b'});
            out.print("text \u00e4\u20ac");
            out.print((String) none);
            out.print(none);
            out.print(List.of(1));
        }));
        all.add(new Printing("println", out -> {
            out.println();
            out.println(true);
            out.println('c');
            out.println(1);
            out.println(2L);
            out.println(1.5f);
            out.println(2.5);
            out.println(new char[] {'a', 'b'});
            out.println("text \u00e4\u20ac");
            out.println((String) none);
            out.println(none);
            out.println(List.of(1));
        }));
        all.add(new Printing("format", out -> out.format("%d %s%n", 1, "a")
                .format(Locale.GERMANY, "%.1f", 1.5)
                .format((Locale) none, "%.1f", 1.5)
                .printf("%x", 255)
                .printf(Locale.FRANCE, "%,d", 1_000_000)));
        all.add(new Printing("append", out -> out.append("abc")
                .append((CharSequence) none)
                .append("abcdef", 2, 4)
                .append('c')));
        all.add(new Printing("write", out -> {
            out.write('a');
            out.write('\n');
            out.write('b');
            out.write(new byte[] {1, 2, 3, 4}, 1, 2);
            out.writeBytes(new byte[] {5, 6});
            for (int i = 0; i < 300; i++) out.write(i);
        }));
        all.add(new Printing("characters in two halves", out -> {
            for (char c : "a\ud83d\ude00b".toCharArray()) out.print(c);
            out.print("x\ud83d");
            out.println("\ude00y");
            out.print('\ud83d');
            out.print("no other half");
            out.print('\ude00');
        }));
        return all;
    }

    @ParameterizedTest
    @MethodSource("printings")
    void whatIsPrinted_isWhatTheJdkPrints(Printing printing) {
        for (Charset charset : List.of(UTF_8, ISO_8859_1)) {
            var expected = new ByteArrayOutputStream();
            var jdk = new PrintStream(expected, true, charset);
            var ours = new Collecting(charset);
            printing.calls().accept(jdk);
            printing.calls().accept(ours);
            jdk.flush();
            ours.flush();
            assertThat(ours.bytes.toByteArray()).isEqualTo(expected.toByteArray());
            assertThat(ours.checkError()).isFalse();
            assertThat(ours.charset()).isEqualTo(charset);
        }
    }

    @Test
    void everyCall_isOnePiece() {
        var out = new Collecting(UTF_8);
        out.println("abc");
        out.printf("%s %s", "d", "e");
        out.write('x');
        out.print("yz");
        assertThat(out.pieces).containsExactly(3 + System.lineSeparator().length(), 3, 3);
    }

    @Test
    void singleBytes_areKeptUntilALineEnds_orThereAreMany_orSomebodyFlushes() {
        var out = new Collecting(UTF_8);
        out.write('a');
        assertThat(out.pieces).isEmpty();
        out.write('\n');
        assertThat(out.pieces).containsExactly(2);
        for (int i = 0; i < 128; i++) out.write('b');
        assertThat(out.pieces).containsExactly(2, 128);
        out.write('c');
        out.flush();
        out.flush();
        assertThat(out.pieces).containsExactly(2, 128, 1);
    }

    @Test
    void failure_isTrouble_andNotThrown() {
        var out = new Collecting(UTF_8);
        out.failure = new IOException("full");
        out.println("a");
        assertThat(out.checkError()).isTrue();
        out.failure = new InterruptedIOException();
        out.println("b");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void afterClose_printingIsTrouble() {
        var out = new Collecting(UTF_8);
        out.write('a');
        out.close();
        assertThat(out.ended).isTrue();
        assertThat(out.pieces).containsExactly(1);
        assertThat(out.checkError()).isTrue();
        out.println("b");
        for (int i = 0; i < 300; i++) out.write('c');
        out.close();
        assertThat(out.pieces).containsExactly(1);
    }

    @Test
    void wrongArguments_areRefusedAsTheJdkDoes() {
        var out = new Collecting(UTF_8);
        assertThatThrownBy(() -> out.write(new byte[2], 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> out.print((char[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> out.format("%d", "text")).isInstanceOf(IllegalArgumentException.class);
    }

    /** As if the other had come between the byte that fills the buffer and the flush. */
    @Test
    void anotherThreadThatWritesABytePastTheLast_findsRoom() {
        var others = new ArrayList<Throwable>();
        var stream = new UnlockedPrintStream(UTF_8) {
            private int count;

            @Override
            public void flush() {
                Thread other = Thread.ofPlatform()
                        .uncaughtExceptionHandler((thread, e) -> others.add(e))
                        .start(() -> write('o'));
                try {
                    other.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                super.flush();
            }

            @Override
            protected void emit(byte[] bytes, int offset, int length) {
                count += length;
            }

            @Override
            protected void end() {}
        };
        for (int i = 0; i < 128; i++) stream.write('m');
        assertThat(others).isEmpty();
        assertThat(stream.count).isGreaterThanOrEqualTo(128);
    }

    /** What the JDK adds to its stream would print through the stream's own monitor and past us. */
    @Test
    void everyMethodThatPrints_isOursOrEndsInOneOfOurs() {
        List<String> calledByOthers =
                List.of("append", "printf", "writeBytes", "charset", "checkError", "setError", "clearError", "equals");
        assertThat(Arrays.stream(PrintStream.class.getDeclaredMethods())
                        .filter(method ->
                                !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                        .filter(method -> !calledByOthers.contains(method.getName()))
                        .filter(method -> !method.isSynthetic() && !isOverridden(method))
                        .map(Method::toString))
                .containsExactly("public void java.io.PrintStream.write(byte[]) throws java.io.IOException");
    }

    private static boolean isOverridden(Method method) {
        try {
            UnlockedPrintStream.class.getDeclaredMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
