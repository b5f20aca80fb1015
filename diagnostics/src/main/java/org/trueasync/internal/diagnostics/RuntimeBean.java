package org.trueasync.internal.diagnostics;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.trueasync.RuntimeStats;
import org.trueasync.diagnostics.RuntimeMXBean;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.run.LoopStats;

/**
 * A runtime in the process's servers of management beans. Making the JVM's server costs a third of a second, so this
 * never does: it enters the runtime once somebody else has made it, who then may want to read.
 */
final class RuntimeBean implements RuntimeMXBean {
    /** The JVM has its management beans. */
    static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("java.management").isPresent();

    private static final Pattern NEEDS_QUOTES = Pattern.compile("[,=:\"*?\\n]|^$");

    private final Loop loop;
    /** Where it is, and under which name. The JVM's server may come after one that a library has made for itself. */
    private final IdentityHashMap<MBeanServer, ObjectName> names = new IdentityHashMap<>();

    private boolean ended;

    RuntimeBean(Loop loop) {
        this.loop = loop;
    }

    /** Enters the runtime into each server that there is by now. Cheap; any thread. */
    synchronized void offer() {
        if (!AVAILABLE || ended) return;
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null))
            if (!names.containsKey(server)) names.put(server, entered(server));
    }

    private ObjectName entered(MBeanServer server) {
        try {
            for (int n = 1; ; n++) {
                ObjectName name = entered(server, n);
                if (name != null) return name;
            }
        } catch (JMException e) {
            throw new IllegalStateException("Bug in TrueAsync: JMX refuses a runtime; please report this trace", e);
        }
    }

    /**
     * Enters it under its name, or under a numbered one if that is taken: by a runtime that has just ended, or one of
     * another class loader.
     */
    private @Nullable ObjectName entered(MBeanServer server, int n) throws JMException {
        String text = n == 1 ? getName() : getName() + "-" + n;
        String value = NEEDS_QUOTES.matcher(text).find() ? ObjectName.quote(text) : text;
        var wanted = new ObjectName("org.trueasync:type=Runtime,name=" + value);
        try {
            return server.registerMBean(this, wanted).getObjectName();
        } catch (InstanceAlreadyExistsException another) {
            return null;
        }
    }

    /** Takes it out, as the run has ended. Any thread. */
    synchronized void remove() {
        ended = true;
        if (names.isEmpty()) return; // else what follows needs classes that this JVM may not have
        names.forEach(RuntimeBean::takeOut);
        names.clear();
    }

    private static void takeOut(MBeanServer server, ObjectName name) {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException byOthers) {
            // somebody has taken it out already
        } catch (JMException e) {
            throw new IllegalStateException("Bug in TrueAsync: JMX keeps a runtime; please report this trace", e);
        }
    }

    @Override
    public String getName() {
        return loop.name();
    }

    @Override
    public boolean isDraining() {
        return loop.drain().isActive();
    }

    @Override
    public RuntimeStats getStats() {
        return LoopStats.of(loop);
    }

    @Override
    public String dump() {
        return Dump.of(List.of(loop));
    }

    @Override
    public String findStuck() {
        return StuckCoroutines.of(loop);
    }
}
