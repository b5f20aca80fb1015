package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.Completable;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.stress.fuzz.Inputs;

/** What a server sends over HTTP/2, for three calls: however the network cuts it, they get the same. */
public final class ClientFramesFuzz {
    public static final List<byte[]> SEEDS = Frames.OF_SERVER;

    private ClientFramesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String whole = read(input, 512);
        // what fails fails at once, so that the frames before it in the same part need not be looked at
        if (whole.equals("failed")) return;
        Inputs.same(whole, read(input, 1), "byte by byte");
        Inputs.same(whole, read(input, 11), "by eleven bytes");
    }

    private static String read(byte[] input, int part) {
        var link = new Link(new Inputs(input, part));
        var client = new H2Client(link, Frames.LIMITS);
        var streams = new ArrayList<ClientStream>();
        for (int i = 0; i < 3; i++) streams.add(client.open(head(), i > 0, i == 2));
        while (!link.ended && !client.isFinishing()) {
            client.readOnce(null); // the link waits for nothing
            while (client.output.take() != null) client.output.written();
        }
        boolean failed = client.isFinishing() && !link.ended;
        var told = new StringBuilder();
        for (ClientStream stream : streams) {
            told.append(stream.id()).append(stream.isLost()).append(stream.hasReceivedAll());
            if (stream.hasHead()) told.append(stream.hasHead());
            told.append('\n');
        }
        client.lose("over");
        return failed ? "failed" : told.toString();
    }

    private static Fields head() {
        var fields = new Fields();
        fields.add(new HttpField(":method", "GET"));
        fields.add(new HttpField(":scheme", "http"));
        fields.add(new HttpField(":authority", "a"));
        fields.add(new HttpField(":path", "/"));
        return fields;
    }

    private static final class Link implements ClientLink {
        private final Inputs source;
        boolean ended;

        Link(Inputs source) {
            this.source = source;
        }

        @Override
        public int read(ByteBuffer into, Completable<?> limit) {
            return tryRead(into);
        }

        @Override
        public int tryRead(ByteBuffer into) {
            int count = source.read(into);
            ended = count < 0;
            return count;
        }

        @Override
        public void start(Runnable writing) {}

        @Override
        public void write(ByteBuffer bytes) {}

        @Override
        public void close() {}

        @Override
        public long now() {
            return 0;
        }
    }
}
