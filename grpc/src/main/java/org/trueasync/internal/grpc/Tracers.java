package org.trueasync.internal.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import java.util.List;
import java.util.function.Consumer;

/** Those who watch a call for the program, for its figures and traces. */
final class Tracers {
    private final List<ClientStreamTracer> all;
    private int sent;
    private int read;

    Tracers(CallOptions options, Metadata headers) {
        var info = ClientStreamTracer.StreamInfo.newBuilder()
                .setCallOptions(options)
                .build();
        all = options.getStreamTracerFactories().stream()
                .map(factory -> factory.newClientStreamTracer(info, headers))
                .toList();
    }

    void tell(Consumer<ClientStreamTracer> event) {
        all.forEach(event);
    }

    /** A message was sent; its size before it was compressed is not known here. */
    void sent(int bytes) {
        int number = sent++;
        tell(each -> {
            each.outboundMessage(number);
            each.outboundMessageSent(number, bytes, -1);
            each.outboundWireSize(bytes);
        });
    }

    void read(int bytes) {
        int number = read++;
        tell(each -> {
            each.inboundMessage(number);
            each.inboundMessageRead(number, -1, bytes);
            each.inboundUncompressedSize(bytes);
        });
    }
}
