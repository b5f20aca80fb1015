package org.trueasync.internal.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a service may ask the server of its call: the service of reflection asks which services there are. */
public final class ServicesView extends Server {
    private final List<ServerServiceDefinition> services;

    public ServicesView(List<ServerServiceDefinition> services) {
        this.services = services;
    }

    @Override
    public List<ServerServiceDefinition> getServices() {
        return List.copyOf(services);
    }

    @Override
    public List<ServerServiceDefinition> getImmutableServices() {
        return getServices();
    }

    @Override
    public List<ServerServiceDefinition> getMutableServices() {
        return List.of();
    }

    @Override
    public Server start() {
        throw notHere();
    }

    @Override
    public Server shutdown() {
        throw notHere();
    }

    @Override
    public Server shutdownNow() {
        throw notHere();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        throw notHere();
    }

    @Override
    public void awaitTermination() {
        throw notHere();
    }

    private static UnsupportedOperationException notHere() {
        return new UnsupportedOperationException("the HTTP server is started and ended by its own methods");
    }
}
