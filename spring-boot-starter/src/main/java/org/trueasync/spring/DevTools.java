package org.trueasync.spring;

import org.apache.commons.logging.LogFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.ClassUtils;

/**
 * Devtools restarts what the thread {@code main} has started, and the start is in a coroutine. So it hears of the start
 * here already: it calls {@code main} again in a thread of its own, and in this call it is content.
 */
final class DevTools {
    private static final String LISTENER = "org.springframework.boot.devtools.restart.RestartApplicationListener";

    private DevTools() {}

    /** In the thread main it does not return, unless devtools is not there or turned off. */
    @SuppressWarnings("unchecked")
    static void starting(SpringApplication application, String... arguments) {
        if (!ClassUtils.isPresent(LISTENER, null)) return;
        ApplicationListener<? super ApplicationStartingEvent> listener;
        try {
            listener = Class.forName(LISTENER)
                    .asSubclass(ApplicationListener.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            notRestarted("this version of devtools is not known: " + e);
            return;
        }
        listener.onApplicationEvent(
                new ApplicationStartingEvent(new DefaultBootstrapContext(), application, arguments));
    }

    /** The application starts in a coroutine of a runtime that somebody else has made. */
    static void startingInCoroutine() {
        if (ClassUtils.isPresent(LISTENER, null)
                && !Thread.currentThread().getName().equals("restartedMain"))
            notRestarted("TrueAsyncApplication.run was called in a coroutine, as by the command trueasync. Call it in"
                    + " main, and start it by java, mvn spring-boot:run or an IDE");
    }

    private static void notRestarted(String reason) {
        LogFactory.getLog(TrueAsyncApplication.class).warn("Devtools restarts nothing here: " + reason);
    }
}
