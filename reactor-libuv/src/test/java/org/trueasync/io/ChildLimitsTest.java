package org.trueasync.io;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class ChildLimitsTest extends ChildLimitsConformance {
    @Test
    void descriptorsRunOut_startFailsAndLeavesNothingBehind() throws Exception {
        descriptorsRunOutStartFailsAndLeavesNothingBehind();
    }
}
