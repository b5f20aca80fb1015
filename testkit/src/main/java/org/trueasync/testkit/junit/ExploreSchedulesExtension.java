package org.trueasync.testkit.junit;

import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.trueasync.Body;
import org.trueasync.testkit.Schedules;

/** Runs test methods in many orders. {@link ExploreSchedules} registers it. */
public final class ExploreSchedulesExtension implements InvocationInterceptor {
    /** For JUnit. */
    public ExploreSchedulesExtension() {}

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        Method test = method.getExecutable();
        ExploreSchedules settings =
                AnnotationSupport.findAnnotation(test, ExploreSchedules.class).orElseThrow();
        Object target = method.getTarget().orElse(null);
        Object[] arguments = method.getArguments().toArray();
        invocation.skip(); // JUnit would call the method only once
        Schedules.of(settings.orders())
                .from(settings.from())
                .varying(settings.varying())
                .realTimeLimit(Duration.ofSeconds(settings.realTimeLimit()))
                .run((Body) () -> ReflectionSupport.invokeMethod(test, target, arguments));
    }
}
