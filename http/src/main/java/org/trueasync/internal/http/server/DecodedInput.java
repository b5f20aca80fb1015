package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.codings.Codecs;
import org.trueasync.internal.http.message.Coding;

/** The body of a request as it was before the client has compressed it. The limit for bodies holds for it too. */
final class DecodedInput extends InputStream {
    private final RequestCore request;
    private final Coding coding;
    private final InputStream coded;
    private @Nullable InputStream plain;
    private long count;

    DecodedInput(RequestCore request, Coding coding) {
        this.request = request;
        this.coding = coding;
        this.coded = new RequestInput(request);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int got;
        try {
            if (plain == null) plain = Codecs.unpacked(coding, coded);
            got = plain.read(into, offset, length);
        } catch (IOException e) {
            throw request.failure(400, "the body is no good " + coding.token());
        }
        if (got > 0) request.requireBodyWithin(count += got);
        return got;
    }

    @Override
    public void close() throws IOException {
        coded.close();
        if (plain != null) plain.close();
    }
}
