package org.trueasync.bench.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;

/** Tomcat. Its own threads accept and select, and the executor handles requests. */
final class TomcatHttp {
    /** Held here: a logger that is collected loses its level. */
    private static final Logger LOGGER = Logger.getLogger("org.apache");

    private TomcatHttp() {}

    static void start(int port, Executor executor) throws Exception {
        LOGGER.setLevel(Level.WARNING);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        var connector = new Connector();
        connector.setPort(port);
        connector.setProperty("address", HttpServerProcess.HOST);
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("acceptCount", String.valueOf(HttpServerProcess.BACKLOG));
        ((AbstractProtocol<?>) connector.getProtocolHandler()).setExecutor(executor);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "hello", new Hello()).addMapping("/");
        tomcat.start();
    }

    @SuppressWarnings("serial") // it is never serialised
    private static final class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(HttpServerProcess.TEXT_BYTES.length);
            response.getOutputStream().write(HttpServerProcess.TEXT_BYTES);
        }
    }
}
