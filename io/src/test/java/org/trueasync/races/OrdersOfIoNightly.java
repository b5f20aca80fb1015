package org.trueasync.races;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.testkit.Nightly;

class OrdersOfIoNightly {
    @Test
    @Timeout(7_200)
    void racesInOrdersOfTheirOwn_nothingThatIsPromisedBreaks() throws Exception {
        RacesOfANight.explore("orders of streams and files", Nightly.budget(2), OrdersOfIoNightly.class);
    }
}
