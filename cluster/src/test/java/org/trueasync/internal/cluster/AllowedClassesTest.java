package org.trueasync.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncTimeoutException;

/** What becomes an object here, and what does not. */
class AllowedClassesTest {
    private static boolean loaded;

    static class Own implements Serializable {
        private static final long serialVersionUID = 1;

        static class Nested implements Serializable {
            private static final long serialVersionUID = 1;

            static class Deep implements Serializable {
                private static final long serialVersionUID = 1;
            }
        }
    }

    static class OwnedBySomebodyElse implements Serializable {
        private static final long serialVersionUID = 1;

        static {
            loaded = true;
        }
    }

    private static Object there(Object object, String... allowed) throws Exception {
        var codec = new ObjectCodec(new AllowedClasses(List.of(allowed)), AllowedClassesTest.class.getClassLoader());
        return codec.read(ObjectCodec.write(0, object));
    }

    @Test
    void valuesOfTheJdk_mayCome() throws Exception {
        for (Object value : List.of(
                "text",
                7L,
                new BigDecimal("1.5"),
                Instant.EPOCH,
                Duration.ofDays(1),
                List.of(1, 2),
                Map.of("a", Set.of('b')),
                new TreeMap<>(Map.of("x", List.of())),
                Thread.State.BLOCKED)) assertThat(there(value)).isEqualTo(value);
        assertThat(there(null)).isNull();
        assertThat((int[]) there(new int[] {1, 2})).containsExactly(1, 2);
        assertThat((String[][]) there(new String[][] {{"a"}})).isDeepEqualTo(new String[][] {{"a"}});
        assertThat(there(new NoSuchFileException("f"))).isInstanceOf(NoSuchFileException.class);
        assertThat(there(new AsyncTimeoutException(Duration.ofSeconds(1)))).isInstanceOf(AsyncTimeoutException.class);
    }

    @Test
    void namedClassesAndPackages_mayCome_withTheirNestedOnes() throws Exception {
        String test = AllowedClassesTest.class.getName();
        assertThat(there(new Own(), test)).isInstanceOf(Own.class);
        assertThat(there(new Own.Nested(), test)).isInstanceOf(Own.Nested.class);
        assertThat(there(new Own.Nested.Deep(), Own.Nested.class.getName())).isInstanceOf(Own.Nested.Deep.class);
        assertThat(there(new Own[1], "org.trueasync.internal.cluster.")).isInstanceOf(Own[].class);
    }

    @Test
    void othersAreRefusedByName_andNothingOfThemIsRun() throws Exception {
        loaded = false;
        byte[] bytes = named("org.trueasync.internal.cluster.AllowedClassesTest$OwnedBySomebodyElse");
        var codec =
                new ObjectCodec(new AllowedClasses(List.of("org.acme.")), AllowedClassesTest.class.getClassLoader());
        assertThatThrownBy(() -> codec.read(bytes))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class)
                .hasMessageEndingWith("OwnedBySomebodyElse");
        assertThat(loaded).isFalse();
        assertThatThrownBy(() -> there(new ArrayList<Object>(List.of(new Own()))))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class);
        assertThatThrownBy(() -> there(new Own(), "org.trueasync.internal.clusters.", "org.trueasync.internal"))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class);
        assertThatThrownBy(() -> there(URI.create("http://192.0.2.1/").toURL()))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class)
                .hasMessage("java.net.URL");
        assertThatThrownBy(() -> there(new java.util.logging.LogRecord(java.util.logging.Level.INFO, "")))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class);
    }

    /** The bytes of an object of a class that was not yet initialised: those of one whose name is as long. */
    private static byte[] named(String name) throws Exception {
        String stand = "org.trueasync.internal.cluster.AllowedClassesTest$StandInOfTheSameLen";
        assertThat(stand).hasSameSizeAs(name);
        String bytes = new String(
                ObjectCodec.write(0, new StandInOfTheSameLen()), java.nio.charset.StandardCharsets.ISO_8859_1);
        return bytes.replace(stand, name).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    static class StandInOfTheSameLen implements Serializable {
        private static final long serialVersionUID = 1;
    }

    @Test
    void proxies_areRefused() {
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (Handler) (p, m, a) -> null);
        assertThatThrownBy(() -> there(proxy, "org.trueasync.internal.cluster."))
                .isInstanceOf(ObjectCodec.ForbiddenClassException.class)
                .hasMessageContaining("java.lang.Runnable");
    }

    interface Handler extends java.lang.reflect.InvocationHandler, Serializable {}

    @Test
    void nestingWithoutEnd_isRefused() {
        List<Object> nested = new ArrayList<>();
        for (int i = 0; i < 300; i++) nested = new ArrayList<>(List.of(nested));
        List<Object> deep = nested;
        assertThatThrownBy(() -> there(deep)).isInstanceOf(java.io.InvalidClassException.class);
    }
}
