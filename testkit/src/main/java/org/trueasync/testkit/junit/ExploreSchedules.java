package org.trueasync.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.trueasync.testkit.Vary;

/**
 * A test method that is run in many orders, see {@link org.trueasync.testkit.Schedules}. All runs use the same instance
 * of the test class, and {@code @BeforeEach} and {@code @AfterEach} methods run only once, so the test method must
 * create everything that it uses. A failure names its seed; {@code -Dorg.trueasync.testkit.seed=...} runs only that
 * one.
 */
@Test
@Documented
@ExtendWith(ExploreSchedulesExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface ExploreSchedules {
    /** Number of runs; 1 or more. */
    int orders() default 10_000;

    /** What differs between the runs; one or both. */
    Vary[] varying() default Vary.COMPLETIONS;

    /** Number of the first seed; 1 or more. */
    long from() default 1;

    /** How long one run may take, in seconds of real time; 1 or more. */
    long realTimeLimit() default 30;
}
