package org.trueasync.internal.tls;

import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * What a handshake should agree on.
 *
 * @param client true for the client's side, false for the server's
 * @param context keys and trust; null for the JVM's default, clients only
 * @param serverName the server that a client wants to reach; null if not given
 * @param checksName whether the server's certificate must be for that name
 * @param applicationProtocols in the order of preference; empty for none
 * @param protocols versions; empty for TLS 1.3 and 1.2
 * @param certificate whether a server asks its clients for a certificate
 * @param custom changes of the user, applied last; null for none
 */
public record TlsSettings(
        boolean client,
        @Nullable SSLContext context,
        @Nullable String serverName,
        boolean checksName,
        List<String> applicationProtocols,
        List<String> protocols,
        ClientCertificate certificate,
        @Nullable Consumer<SSLParameters> custom) {
    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    /** Whether a server asks its clients for a certificate. */
    public enum ClientCertificate {
        /** It does not ask. */
        NONE,
        /** It asks; a client may have none. */
        REQUESTED,
        /** It asks, and refuses a client without one. */
        REQUIRED
    }

    /**
     * Returns default settings.
     *
     * @param client true for the client's side
     * @param context keys and trust, or null
     */
    public static TlsSettings of(boolean client, @Nullable SSLContext context) {
        return new TlsSettings(client, context, null, true, List.of(), List.of(), ClientCertificate.NONE, null);
    }

    /**
     * Returns these settings with another server name. A dot at its end, which only keeps DNS from trying other names,
     * is dropped: neither SNI nor certificates have it.
     */
    public TlsSettings withServerName(String name) {
        String bare = name.length() > 1 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return new TlsSettings(client, context, bare, checksName, applicationProtocols, protocols, certificate, custom);
    }

    /** Returns these settings without the check of the name: certificates for any name are accepted. */
    public TlsSettings withoutNameCheck() {
        return new TlsSettings(
                client, context, serverName, false, applicationProtocols, protocols, certificate, custom);
    }

    /** Returns these settings with other application protocols. */
    public TlsSettings withApplicationProtocols(List<String> names) {
        return new TlsSettings(client, context, serverName, checksName, names, protocols, certificate, custom);
    }

    /**
     * Returns these settings with other versions of TLS.
     *
     * @throws IllegalArgumentException if one is not TLSv1.3 or TLSv1.2
     */
    public TlsSettings withProtocols(List<String> versions) {
        for (String version : versions)
            if (!VERSIONS.contains(version))
                throw new IllegalArgumentException("protocols must be of " + VERSIONS + ", got '" + version + "'");
        return new TlsSettings(
                client, context, serverName, checksName, applicationProtocols, versions, certificate, custom);
    }

    /** Returns these settings with another demand for certificates of clients. */
    public TlsSettings withCertificate(ClientCertificate demand) {
        return new TlsSettings(
                client, context, serverName, checksName, applicationProtocols, protocols, demand, custom);
    }

    /** Returns these settings with a further change by the user, applied after all others. */
    public TlsSettings withCustom(Consumer<SSLParameters> change) {
        Consumer<SSLParameters> both = custom == null ? change : custom.andThen(change);
        return new TlsSettings(
                client, context, serverName, checksName, applicationProtocols, protocols, certificate, both);
    }

    /** Returns the engine's parameters. Runs the user's code, on the caller's thread. */
    SSLParameters parameters() {
        var parameters = new SSLParameters();
        if (client) {
            if (checksName) parameters.setEndpointIdentificationAlgorithm("HTTPS");
            if (serverName != null && isHostName(serverName)) parameters.setServerNames(sent(serverName));
        } else if (certificate == ClientCertificate.REQUIRED) {
            parameters.setNeedClientAuth(true);
        } else if (certificate == ClientCertificate.REQUESTED) {
            parameters.setWantClientAuth(true);
        }
        if (!applicationProtocols.isEmpty())
            parameters.setApplicationProtocols(applicationProtocols.toArray(String[]::new));
        if (!protocols.isEmpty()) parameters.setProtocols(protocols.toArray(String[]::new));
        if (custom != null) custom.accept(parameters);
        return parameters;
    }

    private static boolean isHostName(String name) {
        return !name.contains(":") && !name.matches("[0-9.]+");
    }

    /** What SNI sends: nothing for a name that DNS may know but SNI can't carry, with an underscore for instance. */
    private static List<SNIServerName> sent(String name) {
        try {
            return List.of(new SNIHostName(name));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /**
     * Returns a new engine. On helper threads only: making the first one of a process reads files and computes for
     * long.
     *
     * @param parameters result of {@link #parameters}
     * @param port of the server; identifies, with the name, sessions that can be resumed
     */
    SSLEngine engine(SSLParameters parameters, int port) throws NoSuchAlgorithmException {
        SSLContext from = context == null ? SSLContext.getDefault() : context;
        SSLEngine engine = serverName == null ? from.createSSLEngine() : from.createSSLEngine(serverName, port);
        engine.setUseClientMode(client);
        if (parameters.getProtocols() == null) {
            parameters.setProtocols(Arrays.stream(engine.getEnabledProtocols())
                    .filter(VERSIONS::contains)
                    .toArray(String[]::new));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
