package org.trueasync.internal.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each library does the same, and none needs to be there. */
class JsonLibraryTest {
    /** An order. */
    record Order(String name, int count, List<String> tags) {}

    /** What no library can write. */
    static final class Circle {
        public final Circle self = this;
    }

    static Stream<JsonLibrary> libraries() {
        return Stream.of(new Jackson3(), new Jackson2(), new GsonLibrary());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void values_goThere_andBack(JsonLibrary library) {
        var order = new Order("tea \"é\" 😀", 2, List.of("a", "b"));
        byte[] json = library.write(order);
        assertThat(library.read(json, Order.class)).isEqualTo(order);
        assertThat(library.read(utf8("{\"name\":\"x\",\"count\":1}"), Order.class))
                .isEqualTo(new Order("x", 1, null));
        assertThat(library.read(library.write(new Order[] {order, order}), Order[].class))
                .containsExactly(order, order);
        assertThat(new String(library.write(null), StandardCharsets.UTF_8)).isEqualTo("null");
        assertThat(library.read(utf8("null"), Order.class)).isNull();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void textThatIsNoGood_isTheClientsFault(JsonLibrary library) {
        for (String text : List.of("{\"name\":", "{\"count\":\"many\"}", "[1]", "{\"tags\":[[1]]}", "{\n\"name\": }"))
            assertThatThrownBy(() -> library.read(utf8(text), Order.class))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContain("Order", "java", "org.");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void valueThatCanNotBeWritten_isTheProgramsFault(JsonLibrary library) {
        Object value = library instanceof GsonLibrary ? JsonLibrary.class : new Circle();
        assertThatThrownBy(() -> library.write(value))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can't be written as JSON");
    }

    @Test
    void where_isTold() {
        byte[] unfit = utf8("[{\"count\":1},{\"count\":\"x\"}]");
        for (JsonLibrary library : List.of(new Jackson3(), new Jackson2()))
            assertThatThrownBy(() -> library.read(unfit, Order[].class))
                    .hasMessage("what stands at [1].count does not fit");
        assertThatThrownBy(() -> new GsonLibrary().read(unfit, Order[].class))
                .hasMessageContaining("at line 1 column 26 path $[1].count");
        assertThatThrownBy(() -> new Jackson3().read(utf8("{\n ]"), Order.class))
                .hasMessage("it is malformed at line 2, column 2");
    }

    // ---- which one

    /** Has these classes for itself, and does not find some of the libraries. */
    private static final class Without extends ClassLoader {
        private final List<String> hidden;

        Without(String... hidden) {
            super(JsonLibraryTest.class.getClassLoader());
            this.hidden = List.of(hidden);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (String prefix : hidden) if (name.startsWith(prefix)) throw new ClassNotFoundException(name);
            if (!name.startsWith("org.trueasync.internal.http.json.")) return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) return loaded;
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        String found() throws Exception {
            return loadClass(JsonLibrary.class.getName())
                    .getDeclaredMethod("find")
                    .invoke(null)
                    .getClass()
                    .getSimpleName();
        }
    }

    @Test
    void firstThatIsThere_isTaken() throws Exception {
        assertThat(new Without().found()).isEqualTo("Jackson3");
        assertThat(new Without("tools.jackson.").found()).isEqualTo("Jackson2");
        assertThat(new Without("tools.jackson.", "com.fasterxml.").found()).isEqualTo("GsonLibrary");
        assertThatThrownBy(() -> new Without("tools.jackson.", "com.fasterxml.", "com.google.gson.").found())
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tools.jackson.core:jackson-databind");
    }
}
