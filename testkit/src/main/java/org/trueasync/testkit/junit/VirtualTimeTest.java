package org.trueasync.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs as the main coroutine of a run in virtual time, see
 * {@link org.trueasync.testkit.VirtualTime}. {@code @BeforeEach} and {@code @AfterEach} methods run outside of it.
 */
@Test
@Documented
@ExtendWith(VirtualTimeExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface VirtualTimeTest {
    /** The seed that a failed exploration has named, >= 0; 0 for the usual order. */
    long seed() default 0;

    /** How long the run may take, in seconds of real time; 1 or more. */
    long realTimeLimit() default 30;
}
