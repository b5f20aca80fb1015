package org.trueasync;

import org.jspecify.annotations.Nullable;

/** A method of an error that does not do what everybody relies on. */
enum OddWay {
    NONE,
    GET_CAUSE_THROWS,
    GET_CAUSE_WAITS,
    GET_CAUSE_IS_ITSELF,
    CAUSES_ARE_A_CYCLE,
    CAUSES_NEVER_END,
    GET_MESSAGE_THROWS,
    GET_MESSAGE_IS_NULL,
    GET_MESSAGE_WAITS,
    GET_MESSAGE_NEVER_ENDS_ITS_TEXT,
    TO_STRING_THROWS,
    TO_STRING_IS_NULL,
    TO_STRING_WAITS,
    TO_STRING_OVERFLOWS_THE_STACK,
    CARRIES_NOTHING,
    INIT_CAUSE_THROWS,
    INIT_CAUSE_DOES_NOTHING,
    EQUALS_THROWS,
    GET_STACK_TRACE_THROWS,
    GET_STACK_TRACE_IS_NULL,
    FILL_IN_STACK_TRACE_IS_NULL,
    PRINT_STACK_TRACE_THROWS;

    /** An error with this way: unchecked, or checked. */
    Throwable error(boolean checked) {
        return checked ? new Checked(this) : new Unchecked(this);
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("a method of the error fails");
    }

    private @Nullable Throwable cause(Throwable self, @Nullable Throwable own) {
        return switch (this) {
            case GET_CAUSE_THROWS -> throw refused();
            case GET_CAUSE_WAITS -> {
                Async.delay(1);
                yield own;
            }
            case GET_CAUSE_IS_ITSELF -> self;
            case CAUSES_ARE_A_CYCLE -> new IllegalStateException("made of its own cause", self);
            case CAUSES_NEVER_END -> new Unchecked(this);
            default -> own;
        };
    }

    private @Nullable String message(@Nullable String own) {
        switch (this) {
            case GET_MESSAGE_THROWS -> throw refused();
            case GET_MESSAGE_WAITS -> Async.delay(1);
            default -> {}
        }
        return this == GET_MESSAGE_IS_NULL
                ? null
                : this == GET_MESSAGE_NEVER_ENDS_ITS_TEXT ? "long ".repeat(1 << 20) : own;
    }

    private @Nullable String text(String own) {
        switch (this) {
            case TO_STRING_THROWS -> throw refused();
            case TO_STRING_WAITS -> Async.delay(1);
            case TO_STRING_OVERFLOWS_THE_STACK -> {
                return text(own) + text(own);
            }
            default -> {}
        }
        return this == TO_STRING_IS_NULL ? null : own;
    }

    private boolean lies(OddWay way) {
        if (this != way) return false;
        throw refused();
    }

    private static final class Unchecked extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final OddWay way;

        Unchecked(OddWay way) {
            super("odd", null, way != CARRIES_NOTHING, true);
            this.way = way;
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            return way == NONE ? super.getCause() : way.cause(this, super.getCause());
        }

        @Override
        public synchronized Throwable initCause(@Nullable Throwable cause) {
            way.lies(INIT_CAUSE_THROWS);
            return way == INIT_CAUSE_DOES_NOTHING ? this : super.initCause(cause);
        }

        @Override
        public @Nullable String getMessage() {
            return way.message(super.getMessage());
        }

        @Override
        @SuppressWarnings({"NullAway", "OverrideThrowableToString"}) // what this is about
        public String toString() {
            return way.text("odd error");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return !way.lies(EQUALS_THROWS) && this == other;
        }

        @Override
        public int hashCode() {
            return way.lies(EQUALS_THROWS) ? 0 : 1;
        }

        @Override
        @SuppressWarnings("NullAway")
        public StackTraceElement[] getStackTrace() {
            way.lies(GET_STACK_TRACE_THROWS);
            return way == GET_STACK_TRACE_IS_NULL ? null : super.getStackTrace();
        }

        @Override
        @SuppressWarnings("NullAway")
        public Throwable fillInStackTrace() {
            return way == FILL_IN_STACK_TRACE_IS_NULL
                    ? null
                    : super.fillInStackTrace(); // also called before 'way' is set
        }

        @Override
        public void printStackTrace(java.io.PrintWriter out) {
            way.lies(PRINT_STACK_TRACE_THROWS);
            super.printStackTrace(out);
        }
    }

    private static final class Checked extends Exception {
        private static final long serialVersionUID = 1;
        private final OddWay way;

        Checked(OddWay way) {
            super("odd", null, way != CARRIES_NOTHING, true);
            this.way = way;
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            return way == NONE ? super.getCause() : way.cause(this, super.getCause());
        }

        @Override
        public synchronized Throwable initCause(@Nullable Throwable cause) {
            way.lies(INIT_CAUSE_THROWS);
            return way == INIT_CAUSE_DOES_NOTHING ? this : super.initCause(cause);
        }

        @Override
        public @Nullable String getMessage() {
            return way.message(super.getMessage());
        }

        @Override
        @SuppressWarnings({"NullAway", "OverrideThrowableToString"})
        public String toString() {
            return way.text("odd error");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return !way.lies(EQUALS_THROWS) && this == other;
        }

        @Override
        public int hashCode() {
            return way.lies(EQUALS_THROWS) ? 0 : 1;
        }

        @Override
        @SuppressWarnings("NullAway")
        public StackTraceElement[] getStackTrace() {
            way.lies(GET_STACK_TRACE_THROWS);
            return way == GET_STACK_TRACE_IS_NULL ? null : super.getStackTrace();
        }

        @Override
        public void printStackTrace(java.io.PrintWriter out) {
            way.lies(PRINT_STACK_TRACE_THROWS);
            super.printStackTrace(out);
        }
    }
}
