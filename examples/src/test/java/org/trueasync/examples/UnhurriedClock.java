package org.trueasync.examples;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.trueasync.internal.run.Reactors;
import org.trueasync.spi.Reactor;

/**
 * A real reactor whose clock stands while the program computes, and never goes past the alarm. On a busy machine a
 * program may lose its processor between two delays that it begins; so timers would come in another order than on an
 * idle one. With this clock they come in the order of their times on every machine.
 */
final class UnhurriedClock implements InvocationHandler {
    private final Reactor reactor;
    private volatile long now;
    private long alarm = Long.MAX_VALUE;
    private volatile Thread inTurn;

    /** How far this clock is behind the reactor's, in the present turn. */
    private long behind;

    private UnhurriedClock(Reactor reactor) {
        this.reactor = reactor;
        this.now = reactor.nanoTime();
    }

    /** The best reactor, with such a clock. */
    static Reactor best() {
        var clock = new UnhurriedClock(Reactors.best(System.err::println));
        return (Reactor) Proxy.newProxyInstance(Reactor.class.getClassLoader(), new Class<?>[] {Reactor.class}, clock);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "nanoTime" -> {
                // a turn has waited before it calls its listeners
                if (inTurn == Thread.currentThread()) advance();
                return now;
            }
            case "alarm" -> {
                alarm = (long) arguments[0];
                return null;
            }
            case "execute" -> {
                turn((boolean) arguments[0]);
                return null;
            }
            default -> {
                try {
                    return method.invoke(reactor, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
    }

    private void turn(boolean noWait) {
        behind = reactor.nanoTime() - now;
        reactor.alarm(alarm == Long.MAX_VALUE ? alarm : Math.max(now, alarm) + behind);
        inTurn = Thread.currentThread();
        try {
            reactor.execute(noWait);
        } finally {
            advance();
            inTurn = null;
        }
    }

    private void advance() {
        now = Math.max(now, Math.min(alarm, reactor.nanoTime() - behind));
    }
}
