package org.trueasync.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.trueasync.Async;
import org.trueasync.AsyncException;

/** Whether the application starts in a coroutine. */
final class InCoroutine extends SpringBootCondition {
    static boolean isHere() {
        try {
            Async.currentCoroutine();
            return true;
        } catch (AsyncException e) {
            return false;
        }
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isHere = isHere();
        return new ConditionOutcome(
                isHere,
                ConditionMessage.forCondition("In a coroutine")
                        .because(isHere ? "it starts in one" : "start it by TrueAsyncApplication.run"));
    }
}
