package org.trueasync.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfDiagnosticsTest {
    @Test
    void everyPublicMethod_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput();
        List<String> complaints = check.check(PublicTypes.of(Ledger.class, "org/trueasync/diagnostics"));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
