package org.trueasync.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationHook;

/**
 * What Boot has laid around the call of {@code main}: {@code SpringApplication.from(...).with(...)}, the processing
 * ahead of time, a test with {@code useMainMethod}. It is in a thread local, which the coroutine does not see.
 */
final class BootHook {
    private BootHook() {}

    static @Nullable SpringApplicationHook here() {
        try {
            var field = SpringApplication.class.getDeclaredField("applicationHook");
            field.setAccessible(true);
            return field.get(null) instanceof ThreadLocal<?> local && local.get() instanceof SpringApplicationHook hook
                    ? hook
                    : null;
        } catch (ReflectiveOperationException | RuntimeException e) {
            // another version of Boot keeps it elsewhere, or its module is closed: then the start is without it
            return null;
        }
    }

    /** True for that of a test with {@code useMainMethod}. */
    static boolean isOfTest(SpringApplicationHook hook) {
        return hook.getClass().getName().startsWith("org.springframework.boot.test.");
    }
}
