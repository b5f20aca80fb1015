package org.trueasync.bench.growth;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Pool;
import org.trueasync.bench.FreePort;
import org.trueasync.bench.workload.Counter;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.cluster.ClusterSubscription;
import org.trueasync.cluster.ClusterTopic;
import org.trueasync.internal.http.routes.Route;
import org.trueasync.internal.http.routes.RouteMatch;
import org.trueasync.internal.http.routes.RouteTree;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Elements that are registered somewhere, to be found or called. */
final class Registered {

    private Registered() {}

    /** The first half is gone when the event fires. */
    static long subscriptions(int count) {
        var called = new Counter();
        var pool = Pool.of(Object::new).max(1).build();
        List<EventCallback> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            var callback = new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    called.value++;
                }
            };
            pool.event().addCallback(callback);
            all.add(callback);
        }
        for (int i = 0; i < count; i += 2) if (pool.event().removeCallback(all.get(i))) called.value++;
        pool.close();
        return called.value;
    }

    /** No server: with one, a request would cost a hundred times as much as finding its route. */
    static long routes(int count) {
        var tree = new RouteTree<Integer>();
        for (int i = 0; i < count; i++) tree.add(Route.of("GET", "/v" + i % 10 + "/item" + i + "/{part}", false, i));
        long found = 0;
        for (int i = 0; i < count; i++) {
            RouteMatch<Integer> match = tree.find("GET", "/v" + i % 10 + "/item" + i + "/1");
            if (match.handler() == i) found++;
        }
        return found;
    }

    /** All watch the same folder, in which one file is made. */
    static long watches(int count) throws Exception {
        Path folder = Files.createTempDirectory("growth");
        List<FileSystemWatcher> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) all.add(new FileSystemWatcher(folder));
        Files.createFile(folder.resolve("file"));
        long told = 0;
        for (FileSystemWatcher watcher : all) if (watcher.next() != null) told++;
        Released.mixed(all, FileSystemWatcher::close);
        Files.delete(folder.resolve("file"));
        Files.delete(folder);
        return told;
    }

    private static Cluster cluster;

    /** A cluster of one member; each topic gets one message. */
    static long topics(int count) throws Exception {
        if (cluster == null)
            cluster = Cluster.join(
                    ClusterConfig.builder().name("growth").port(FreePort.find()).build());
        List<ClusterSubscription<Integer>> all = new ArrayList<>(count);
        List<ClusterTopic<Integer>> topics = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ClusterTopic<Integer> topic = cluster.topic("topic" + i);
            topics.add(topic);
            all.add(topic.subscribe());
        }
        for (ClusterTopic<Integer> topic : topics) topic.publish(1);
        long received = 0;
        for (ClusterSubscription<Integer> subscription : all) received += subscription.receive();
        Released.mixed(all, ClusterSubscription::close);
        return received;
    }
}
