package org.trueasync.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.http.HttpClient;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfGrpcTest {
    @Test
    void everyPublicMethod_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput()
                .sample(CallOptions.class, () -> CallOptions.DEFAULT)
                .sample(GrpcChannel.class, () -> new GrpcChannel("http://127.0.0.1:9"))
                .sample(GrpcHandler.class, GrpcHandler::new)
                .sample(HttpClient.Builder.class, HttpClient::builder)
                .sample(ServerServiceDefinition.class, () -> ServerServiceDefinition.builder("service")
                        .build())
                // an exchange needs a connection; a method descriptor its marshallers
                .exempt("GrpcHandler.handle", "GrpcChannel.newCall");
        List<String> complaints = check.check(PublicTypes.of(GrpcHandler.class, "org/trueasync/grpc"));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
