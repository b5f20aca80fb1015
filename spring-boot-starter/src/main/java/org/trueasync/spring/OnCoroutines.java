package org.trueasync.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.trueasync.Async;
import org.trueasync.AsyncException;

/** Whether coroutines serve the application: it starts in one, or is that of a {@code @SpringBootTest}. */
final class OnCoroutines extends SpringBootCondition {
    /** The property by which Boot tells the contexts of such tests from those of others. */
    private static final String TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

    /** True in a coroutine. */
    static boolean isHere() {
        try {
            Async.currentCoroutine();
            return true;
        } catch (AsyncException e) {
            return false;
        }
    }

    static boolean isTest(Environment environment) {
        return environment.getProperty(TEST, boolean.class, false);
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("On coroutines");
        if (isHere()) return ConditionOutcome.match(message.because("it starts in one"));
        if (isTest(context.getEnvironment())) return ConditionOutcome.match(message.because("it is a test's"));
        return ConditionOutcome.noMatch(message.because("start it by TrueAsyncApplication.run"));
    }
}
