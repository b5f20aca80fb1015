package org.trueasync.races;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.testkit.Nightly;

class OrdersNightly {
    @Test
    @Timeout(7_200)
    void racesInOrdersOfTheirOwn_nothingThatIsPromisedBreaks() throws Exception {
        RacesOfANight.explore("orders of the primitives", Nightly.budget(7), OrdersNightly.class);
    }
}
