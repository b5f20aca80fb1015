package org.trueasync.bench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A loop in C, {@code echo.c}, which the machine's compiler makes when the server starts. The JVM around it does
 * nothing, so its cpu time is the loop's.
 */
@SuppressWarnings("restricted")
final class NativeEcho implements EchoServer {

    /** Where the compiler is looked for. */
    static final Path COMPILER = Path.of("/usr/bin/cc");

    @Override
    public void serve(int port, Runnable listening) throws IOException, InterruptedException {
        SymbolLookup library = SymbolLookup.libraryLookup(compiled(), Arena.global());
        int server = call(library, "echo_listen", port, BACKLOG);
        listening.run();
        call(library, "echo_serve", server);
    }

    private static Path compiled() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("echo");
        Path source = folder.resolve("echo.c");
        Path library = folder.resolve("echo.so");
        try (InputStream text = NativeEcho.class.getResourceAsStream("echo.c")) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        int status = new ProcessBuilder(
                        COMPILER.toString(), "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) throw new IOException(COMPILER + " ended with status " + status);
        return library;
    }

    private static int call(SymbolLookup library, String function, int... arguments) throws IOException {
        var types = new ValueLayout[arguments.length];
        var values = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            types[i] = ValueLayout.JAVA_INT;
            values[i] = arguments[i];
        }
        int result;
        try {
            result = (int) Linker.nativeLinker()
                    .downcallHandle(library.findOrThrow(function), FunctionDescriptor.of(ValueLayout.JAVA_INT, types))
                    .invokeWithArguments(values);
        } catch (Throwable e) {
            throw new IOException("cannot call " + function, e);
        }
        if (result < 0) throw new IOException(function + " failed with error number " + -result);
        return result;
    }
}
