package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http2.frames.PrefaceFrame;
import org.trueasync.stress.fuzz.Inputs;

/** What a client sends over HTTP/2: however the network cuts it, the same requests begin, or the connection fails. */
public final class ServerFramesFuzz {
    public static final List<byte[]> SEEDS = Frames.OF_CLIENT;

    private ServerFramesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String whole = read(input, 512);
        // what fails fails at once, so that the frames before it in the same part need not be looked at
        if (whole.equals("failed")) return;
        Inputs.same(whole, read(input, 1), "byte by byte");
        Inputs.same(whole, read(input, 11), "by eleven bytes");
    }

    private static String read(byte[] input, int part) {
        var source = new Inputs(Inputs.joined(PrefaceFrame.PREFACE_BYTES, input), part);
        var link = new Link(source);
        var server = new H2Server(link, Frames.LIMITS);
        link.server = server;
        server.read(ByteBuffer.allocate(512).limit(0));
        boolean failed = server.isFinishing();
        server.inputEnded();
        server.ended();
        if (server.open > Frames.LIMITS.streams() || server.open < 0)
            throw new AssertionError(server.open + " streams");
        return failed ? "failed" : link.told.toString();
    }

    private static final class Link implements ServerLink {
        final StringBuilder told = new StringBuilder();
        private final Inputs source;
        H2Server server;

        Link(Inputs source) {
            this.source = source;
        }

        @Override
        public int read(ByteBuffer into, long nanos) {
            write(null);
            return source.read(into);
        }

        /** Takes what is to be written. */
        @Override
        public void write(ByteBuffer bytes) {
            while (server.output.take() != null) server.output.written();
        }

        @Override
        public void begin(ServerStream stream) {
            told.append(stream.id()).append(stream.method()).append(' ').append(stream.target());
            told.append('\n')
                    .append(stream.fields())
                    .append(stream.contentLength())
                    .append('\n');
            stream.owner(why -> told.append(stream.id()).append(" is lost\n"));
        }

        @Override
        public void endOutput() {}

        @Override
        public void lateHead() {}

        @Override
        public void close() {}

        @Override
        public long now() {
            return 0;
        }
    }
}
