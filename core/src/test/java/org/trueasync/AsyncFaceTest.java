package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a newcomer finds in the javadoc of {@link Async}: one class, and not too much of it. */
class AsyncFaceTest {
    private static final int METHODS = 80;

    private static List<Method> methods() {
        return Stream.of(Async.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .toList();
    }

    @Test
    void publicMethods_becomeNoMore() {
        assertThat(methods())
                .allMatch(method -> Modifier.isStatic(method.getModifiers()))
                .hasSizeLessThanOrEqualTo(METHODS);
    }

    @Test
    void everyMethod_isInTheClassItself() {
        assertThat(Async.class.getSuperclass()).isEqualTo(Object.class);
        assertThat(Async.class.getModifiers()).matches(Modifier::isFinal);
    }
}
