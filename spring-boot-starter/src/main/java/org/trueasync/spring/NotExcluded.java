package org.trueasync.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * What stands in for an auto-configuration of Boot's is excluded together with it, wherever the application says so: by
 * an annotation or by {@code spring.autoconfigure.exclude}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(NotExcluded.OfBoot.class)
@interface NotExcluded {
    /** The auto-configuration of Boot's. */
    Class<?> value();

    final class OfBoot extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            var attributes =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(NotExcluded.class.getName(), true));
            Object boots = attributes.get("value");
            var factory = context.getBeanFactory();
            // Boot notes all exclusions before it looks at the first condition
            var report = factory == null ? null : ConditionEvaluationReport.find(factory);
            var message = ConditionMessage.forCondition(NotExcluded.class);
            return report != null && report.getExclusions().contains(boots)
                    ? ConditionOutcome.noMatch(message.because(boots + " is excluded"))
                    : ConditionOutcome.match(message.because(boots + " is not excluded"));
        }
    }
}
