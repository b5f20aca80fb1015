package org.trueasync.internal.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.SwitchHandlers;

/**
 * {@code System.out} once anything is captured. A {@link LoopLocal} says where a write on the loop thread goes. A
 * switch handler of the capturing coroutine sets it on ENTER and clears it on LEAVE. So no other coroutine and no other
 * thread is captured.
 */
public final class CapturingOut extends UnlockedPrintStream {
    private static @Nullable PrintStream installed;

    /** Where the running coroutine's output goes instead; null if it is not captured. Set by switch handlers. */
    private static final LoopLocal<OutputStream> CAPTURE = new LoopLocal<>();

    private final PrintStream real;

    private CapturingOut(PrintStream real) {
        super(real.charset());
        this.real = real;
    }

    /**
     * See {@link org.trueasync.Output#capture}.
     *
     * @param body what prints
     */
    public static String capture(Body body) {
        Runtimes.currentCoroutine("Output.capture");
        Loop loop = Runtimes.here("Output.capture");
        PrintStream out = install();
        var captured = new ByteArrayOutputStream();
        OutputStream outer = CAPTURE.get(loop);
        boolean[] done = {false};
        SwitchHandlers.add((coroutine, entering, finishing) -> {
            if (done[0]) return false;
            CAPTURE.set(loop, entering ? captured : null);
            return true;
        });
        CAPTURE.set(loop, captured);
        try {
            body.run();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        } finally {
            out.flush();
            done[0] = true;
            CAPTURE.set(loop, outer);
        }
        return captured.toString(out.charset());
    }

    private static synchronized PrintStream install() {
        PrintStream now = System.out;
        if (now != installed) {
            installed = new CapturingOut(now);
            System.setOut(installed);
        }
        return installed == null ? now : installed;
    }

    private OutputStream target() {
        Loop here = Runtimes.hereOrNull();
        OutputStream capture = here == null ? null : CAPTURE.get(here);
        return capture == null ? real : capture;
    }

    /** Writes at once, not at the end of a line: another coroutine may print meanwhile. */
    @Override
    public void write(int b) {
        try {
            target().write(b);
        } catch (IOException e) {
            setError();
        }
    }

    @Override
    protected void emit(byte[] bytes, int offset, int length) throws IOException {
        target().write(bytes, offset, length);
    }

    @Override
    public void flush() {
        super.flush();
        real.flush();
    }

    @Override
    protected void end() {
        real.close();
    }
}
