package org.trueasync.bench.peer;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** The pool of Apache's commons-pool2. */
public final class CommonsPool extends PoolOnThreads<Object> {

    private final GenericObjectPool<Object> pool = new GenericObjectPool<>(new Factory(), settings());

    public CommonsPool() {
        try {
            pool.preparePool();
        } catch (Exception e) {
            throw new IllegalStateException("cannot be filled", e);
        }
    }

    private static GenericObjectPoolConfig<Object> settings() {
        var settings = new GenericObjectPoolConfig<Object>();
        settings.setMaxTotal(RESOURCES);
        settings.setMaxIdle(RESOURCES);
        settings.setMinIdle(RESOURCES);
        settings.setJmxEnabled(false);
        return settings;
    }

    @Override
    Object take() throws Exception {
        return pool.borrowObject();
    }

    @Override
    void giveBack(Object resource) {
        pool.returnObject(resource);
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Factory extends BasePooledObjectFactory<Object> {
        @Override
        public Object create() {
            return new Object();
        }

        @Override
        public PooledObject<Object> wrap(Object resource) {
            return new DefaultPooledObject<>(resource);
        }
    }
}
