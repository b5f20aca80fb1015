package org.trueasync.testkit.junit;

import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualRun;
import org.trueasync.testkit.VirtualTime;

/**
 * Runs test methods in virtual time. {@link VirtualTimeTest} registers it; {@code @ExtendWith} on a class applies it to
 * all its {@code @Test} methods, but not to repeated and parameterized ones.
 */
public final class VirtualTimeExtension implements InvocationInterceptor {
    /** For JUnit. */
    public VirtualTimeExtension() {}

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        VirtualRun run = VirtualTime.settings();
        AnnotationSupport.findAnnotation(method.getExecutable(), VirtualTimeTest.class)
                .ifPresent(test -> run.seed(test.seed()).realTimeLimit(Duration.ofSeconds(test.realTimeLimit())));
        run.run((Body) invocation::proceed);
    }
}
