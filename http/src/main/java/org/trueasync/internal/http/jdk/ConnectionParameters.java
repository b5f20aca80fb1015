package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;

/** What a program's configurator sets for one connection. */
final class ConnectionParameters extends HttpsParameters {
    private final HttpsConfigurator configurator;
    private final @Nullable InetSocketAddress client;
    private @Nullable SSLParameters set;

    private ConnectionParameters(HttpsConfigurator configurator, @Nullable InetSocketAddress client) {
        this.configurator = configurator;
        this.client = client;
    }

    /** Asks the configurator; runs the program's code. */
    static TlsOptions of(HttpsConfigurator configurator, TcpStream connection) {
        var asked = new ConnectionParameters(configurator, connection.remoteAddress());
        configurator.configure(asked);
        return TlsOptions.server(configurator.getSSLContext()).parameters(asked::apply);
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
        return configurator;
    }

    @Override
    public @Nullable InetSocketAddress getClientAddress() {
        return client;
    }

    @Override
    public void setSSLParameters(@Nullable SSLParameters parameters) {
        if (parameters != null) set = parameters;
    }

    private void apply(SSLParameters to) {
        if (set != null) copy(set, to);
        else applySimple(to);
    }

    @SuppressWarnings("deprecation") // a program may still use them
    private void applySimple(SSLParameters to) {
        if (getCipherSuites() != null) to.setCipherSuites(getCipherSuites());
        if (getProtocols() != null) to.setProtocols(getProtocols());
        if (getNeedClientAuth()) to.setNeedClientAuth(true);
        else if (getWantClientAuth()) to.setWantClientAuth(true);
    }

    private static void copy(SSLParameters from, SSLParameters to) {
        to.setCipherSuites(from.getCipherSuites());
        to.setProtocols(from.getProtocols());
        if (from.getNeedClientAuth()) to.setNeedClientAuth(true);
        else to.setWantClientAuth(from.getWantClientAuth());
        if (from.getAlgorithmConstraints() != null) to.setAlgorithmConstraints(from.getAlgorithmConstraints());
        if (from.getSNIMatchers() != null) to.setSNIMatchers(from.getSNIMatchers());
        to.setEndpointIdentificationAlgorithm(from.getEndpointIdentificationAlgorithm());
        to.setUseCipherSuitesOrder(from.getUseCipherSuitesOrder());
        to.setApplicationProtocols(from.getApplicationProtocols());
        to.setSignatureSchemes(from.getSignatureSchemes());
        to.setNamedGroups(from.getNamedGroups());
    }
}
