package org.trueasync.internal.cluster;

import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Makes our operations when they arrive. The numbers are part of the protocol between members. */
final class Operations implements DataSerializableFactory {
    static final int FACTORY = 73_830_001;
    static final int RUN = 1;
    static final int CANCEL = 2;

    @Override
    public IdentifiedDataSerializable create(int classId) {
        return switch (classId) {
            case RUN -> new RunTask();
            case CANCEL -> new CancelTask();
            default ->
                throw new IllegalArgumentException(
                        "unknown operation " + classId + "; do all members run the same version of TrueAsync?");
        };
    }
}
