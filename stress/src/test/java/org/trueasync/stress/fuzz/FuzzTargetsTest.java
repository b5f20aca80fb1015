package org.trueasync.stress.fuzz;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every target takes its seeds, and their beginnings; {@code FuzzNightly} looks further. */
class FuzzTargetsTest {
    @ParameterizedTest
    @FieldSource("org.trueasync.stress.fuzz.Target#ALL")
    void seedsAndTheirBeginnings_breakNoPromise(Target target) {
        for (byte[] seed : target.seeds()) {
            for (int length = 0; length <= seed.length; length++) {
                byte[] input = Arrays.copyOf(seed, length);
                try {
                    target.body().take(input);
                } catch (Throwable e) {
                    throw new AssertionError(
                            "input " + HexFormat.of().formatHex(input) + " = " + Inputs.latin1(input), e);
                }
            }
        }
    }
}
