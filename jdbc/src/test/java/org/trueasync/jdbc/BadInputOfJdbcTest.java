package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfJdbcTest {
    @Test
    void everyPublicMethod_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput()
                .sample(PooledDataSource.Builder.class, () -> PooledDataSource.forUrl("jdbc:h2:mem:bad"))
                .sample(PooledDataSource.class, () -> PooledDataSource.forUrl("jdbc:h2:mem:bad")
                        .build())
                // of the interface, and refused whatever they get
                .exempt("PooledDataSource.getConnection", "PooledDataSource.setLoginTimeout");
        List<String> complaints = check.check(PublicTypes.of(PooledDataSource.class, "org/trueasync/jdbc"));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
