package org.trueasync.http;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.races.RacesOfANight;

class OrdersOfHttpNightly {
    @Test
    @Timeout(7_200)
    void racesInOrdersOfTheirOwn_nothingThatIsPromisedBreaks() throws Exception {
        RacesOfANight.explore("orders of HTTP", Nightly.budget(4), OrdersOfHttpNightly.class);
    }
}
