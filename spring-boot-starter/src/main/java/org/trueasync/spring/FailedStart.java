package org.trueasync.spring;

import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ExitCodeEvent;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;

/**
 * What Boot does for a start that fails in the thread main, and not for one in a coroutine: as Boot has reported the
 * error, the JVM does not print it once more; and the process ends with the exit code that the application has for it.
 */
final class FailedStart implements UncaughtExceptionHandler {
    private final Thread caller = Thread.currentThread();
    private final @Nullable UncaughtExceptionHandler next = caller.getUncaughtExceptionHandler();
    private @Nullable Throwable reported;
    private int exitCode;

    private FailedStart() {}

    /** Watches the start of the application, for the calling thread. */
    static FailedStart of(SpringApplication application) {
        var failed = new FailedStart();
        application.addListeners((ApplicationListener<ExitCodeEvent>) event -> failed.exitCode = event.getExitCode());
        return failed;
    }

    /** Boot has thrown this error, and has reported it before, unless it is that there is no log. */
    void with(Throwable error) {
        String message = error.getMessage();
        if (message != null && message.contains("Logback configuration error detected")) return;
        reported = error;
        // as Boot: a thread of another name has other code around it, whose matter the error is
        if (caller.isVirtual()
                || caller.getName().equals("main")
                || caller.getName().equals("restartedMain")) caller.setUncaughtExceptionHandler(this);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
        // Boot's launcher of executable jars calls main by reflection
        Throwable own = error instanceof InvocationTargetException call ? call.getCause() : error;
        if (reported != null && own == reported) {
            if (exitCode != 0) System.exit(exitCode);
        } else if (next != null) next.uncaughtException(thread, error);
    }
}
