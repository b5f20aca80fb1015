package org.trueasync.testkit.junit;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.trueasync.testkit.simulation.Simulation;

/** Runs the simulations that test methods define. {@link Simulated} registers it. */
public final class SimulatedExtension implements InvocationInterceptor, ParameterResolver {
    /** For JUnit. */
    public SimulatedExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Simulation.class;
    }

    /** Null: each seed has a simulation of its own, which the call below gives. */
    @Override
    @SuppressWarnings("NullAway") // JUnit takes null for a parameter
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return null;
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        Method test = method.getExecutable();
        Simulated settings =
                AnnotationSupport.findAnnotation(test, Simulated.class).orElseThrow();
        Object target = method.getTarget().orElse(null);
        if (test.getParameterCount() != 1 || test.getParameterTypes()[0] != Simulation.class)
            throw new IllegalArgumentException(
                    test + " is @Simulated, so it must have one parameter, of type Simulation");
        invocation.skip(); // JUnit would call the method only once
        Simulation.explore(settings.seeds(), sim -> ReflectionSupport.invokeMethod(test, target, sim));
    }
}
