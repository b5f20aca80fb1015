package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** {@code posix_spawn} and its helpers. Unlike other calls, these return errors as positive errno values. */
final class SpawnCalls {
    /** These sizes are larger than any system's structures, which are opaque and initialised by their own functions. */
    static final long FILE_ACTIONS_SIZE = 512;

    static final long ATTRIBUTES_SIZE = 1024;
    static final long SIGNALS_SIZE = 128;

    private static final MethodHandle ACTIONS_INIT = Functions.of("posix_spawn_file_actions_init");
    private static final MethodHandle ACTIONS_DESTROY = Functions.of("posix_spawn_file_actions_destroy");
    private static final MethodHandle ADD_DUP2 = Functions.of("posix_spawn_file_actions_adddup2");
    private static final MethodHandle ADD_OPEN = Functions.of("posix_spawn_file_actions_addopen");
    private static final @Nullable MethodHandle ADD_CHDIR = Functions.ofOrNull("posix_spawn_file_actions_addchdir_np");
    private static final @Nullable MethodHandle ADD_CLOSE_FROM =
            Functions.ofOrNull("posix_spawn_file_actions_addclosefrom_np");
    private static final MethodHandle ATTRIBUTES_INIT = Functions.of("posix_spawnattr_init");
    private static final MethodHandle ATTRIBUTES_DESTROY = Functions.of("posix_spawnattr_destroy");
    private static final MethodHandle SET_FLAGS = Functions.of("posix_spawnattr_setflags");
    private static final MethodHandle SET_SIGNAL_DEFAULT = Functions.of("posix_spawnattr_setsigdefault");
    private static final MethodHandle SET_SIGNAL_MASK = Functions.of("posix_spawnattr_setsigmask");
    private static final MethodHandle FILL_SIGNALS = Functions.of("sigfillset");
    private static final MethodHandle EMPTY_SIGNALS = Functions.of("sigemptyset");
    private static final MethodHandle SPAWN = Functions.of("posix_spawn");

    private SpawnCalls() {}

    /**
     * Initialises the actions and the attributes. They set all signals of the child to their default and block none: a
     * child must not inherit what the JVM has set up for itself.
     */
    static int initialise(long actions, long attributes, long signals) {
        int status = call(ACTIONS_INIT, actions, 0, 0, 0, 0);
        if (status != 0) return status;
        status = call(ATTRIBUTES_INIT, attributes, 0, 0, 0, 0);
        if (status != 0) return status;
        call(FILL_SIGNALS, signals, 0, 0, 0, 0);
        call(SET_SIGNAL_DEFAULT, attributes, signals, 0, 0, 0);
        call(EMPTY_SIGNALS, signals, 0, 0, 0, 0);
        call(SET_SIGNAL_MASK, attributes, signals, 0, 0, 0);
        return call(SET_FLAGS, attributes, Platform.POSIX_SPAWN_SETSIGDEF | Platform.POSIX_SPAWN_SETSIGMASK, 0, 0, 0);
    }

    static void destroy(long actions, long attributes) {
        call(ACTIONS_DESTROY, actions, 0, 0, 0, 0);
        call(ATTRIBUTES_DESTROY, attributes, 0, 0, 0, 0);
    }

    static int addDuplicate(long actions, int descriptor, int number) {
        return call(ADD_DUP2, actions, descriptor, number, 0, 0);
    }

    static int addOpen(long actions, int number, long path, int flags) {
        return call(ADD_OPEN, actions, number, path, flags, 0);
    }

    /** True if a child can be started in a given directory. */
    static boolean hasDirectory() {
        return ADD_CHDIR != null;
    }

    static int addDirectory(long actions, long path) {
        return call(ADD_CHDIR, actions, path, 0, 0, 0);
    }

    /**
     * True if the child itself can close the descriptors that it must not have; else the parent has to do it before.
     */
    static boolean hasCloseFrom() {
        return ADD_CLOSE_FROM != null;
    }

    static int addCloseFrom(long actions, int first) {
        return call(ADD_CLOSE_FROM, actions, first, 0, 0, 0);
    }

    static int spawn(long pid, long program, long actions, long attributes, long arguments, long environment) {
        return (int) Functions.call(SPAWN, pid, program, actions, attributes, arguments, environment);
    }

    private static int call(
            @Nullable MethodHandle function, long first, long second, long third, long fourth, long fifth) {
        if (function == null) throw new IllegalStateException("Bug in TrueAsync: a function that is not there");
        return (int) Functions.call(function, first, second, third, fourth, fifth);
    }
}
