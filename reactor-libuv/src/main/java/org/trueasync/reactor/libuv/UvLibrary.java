package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds libuv, once, or the reason why it can't be used. */
final class UvLibrary {
    /*
     * Order: the system property, and if it is set nothing else, because a user who names a file wants that file; the
     * platform's own loader; the directories where packages put it, for loaders whose cache is stale or absent. All
     * paths are absolute, so the working directory is never searched; only the loader gets a bare name.
     *
     * The tests run on 1.44.2, which Debian 12 ships, and on a current release (.ci/libuv-current). Pitfalls of other
     * versions, none of which affects our code: before 1.48 a timer re-armed for 0 ms inside its callback spins (we
     * never arm for less than 1 ms); 1.45 moved timers behind the poll (we rely on neither order); 1.45 to 1.48 may hit
     * an assertion in io_uring, which the environment variable UV_USE_IO_URING=0 switches off.
     */
    static final String PROPERTY = "org.trueasync.libuv";

    static final int OLDEST = version(1, 44, 0);

    private static final List<String> DIRECTORIES = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/local/lib",
            "/opt/homebrew/lib",
            "/opt/local/lib");

    private static final @Nullable SymbolLookup SYMBOLS;
    private static final @Nullable String PROBLEM;

    static {
        SymbolLookup symbols = null;
        String problem;
        try {
            List<String> tried = new ArrayList<>();
            symbols = find(tried);
            problem = symbols == null ? missing(tried) : tooOld(symbols);
        } catch (IllegalCallerException refused) {
            problem =
                    "native access is refused; add --enable-native-access=org.trueasync.reactor.libuv (ALL-UNNAMED on the class path)";
        } catch (Throwable bug) {
            problem = "looking for libuv failed: " + bug;
        }
        SYMBOLS = symbols;
        PROBLEM = problem;
    }

    private UvLibrary() {}

    /** Why no loop can be made; null if one can. */
    static @Nullable String problem() {
        if (PROBLEM != null) return PROBLEM;
        try {
            return UvLayouts.problem();
        } catch (Throwable bug) {
            return "libuv can't be used: " + bug;
        }
    }

    /**
     * libuv's functions and those of the C library, which the system's loader also searches because libuv needs it.
     *
     * <p>The JDK's own lookup of the C library, {@link java.lang.foreign.Linker#defaultLookup}, is not used: if memory
     * runs out while the JDK prepares it, the JDK keeps one that finds nothing, for the rest of the process.
     */
    static SymbolLookup symbols() {
        if (SYMBOLS == null) throw new IllegalStateException(PROBLEM);
        return SYMBOLS;
    }

    static int version(int major, int minor, int patch) {
        return major << 16 | minor << 8 | patch;
    }

    private static @Nullable SymbolLookup find(List<String> tried) {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            tried.add("nothing, as this reactor does not know Windows");
            return null;
        }
        String explicit = System.getProperty(PROPERTY);
        if (explicit != null) {
            Path path = Path.of(explicit);
            if (path.isAbsolute()) return open(path, tried);
            tried.add(explicit + " (system property " + PROPERTY + ", which must be an absolute path)");
            return null;
        }
        String name = Platform.MAC ? "libuv.1.dylib" : "libuv.so.1";
        SymbolLookup found = open(name, tried);
        for (String directory : DIRECTORIES) {
            if (found != null) return found;
            Path path = Path.of(directory, name);
            if (Files.exists(path)) found = open(path, tried);
        }
        return found;
    }

    private static @Nullable SymbolLookup open(String name, List<String> tried) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException notFound) {
            tried.add(name + " (the system's loader)");
            return null;
        }
    }

    private static @Nullable SymbolLookup open(Path path, List<String> tried) {
        try {
            return SymbolLookup.libraryLookup(path, Arena.global());
        } catch (IllegalArgumentException refused) {
            tried.add(path
                    + (Files.exists(path)
                            ? " (is there but can't be loaded: wrong architecture or damaged?)"
                            : " (does not exist)"));
            return null;
        }
    }

    private static String missing(List<String> tried) {
        return "library libuv not found; tried " + String.join(", ", tried)
                + "; install it (Debian: libuv1, macOS: brew install libuv) or name the file with -D" + PROPERTY
                + "=/absolute/path";
    }

    private static @Nullable String tooOld(SymbolLookup symbols) {
        var function = symbols.find("uv_version");
        if (function.isEmpty()) return "the library found is not libuv: it has no uv_version";
        int version = (int) Functions.call(Functions.at(function.get().address()), 0, 0, 0, 0, 0);
        if (version >= OLDEST) return null;
        return "libuv " + text(version) + " is too old, " + text(OLDEST)
                + " is the oldest that works; install a newer one or name it with -D" + PROPERTY + "=/absolute/path";
    }

    /** Returns 1.44.2 for 0x012C02. */
    static String text(int version) {
        return (version >>> 16) + "." + (version >>> 8 & 0xff) + "." + (version & 0xff);
    }
}
