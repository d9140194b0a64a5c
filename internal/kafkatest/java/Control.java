// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A loopback HTTP server through which a test sets the capacity and reads what the policy counts. */
final class Control {
    private Control() {
    }

    /** Starts the server on a free port and returns it. */
    static HttpServer start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.createContext("/reserved", exchange -> answer(exchange, "GET", Control::reserved));
        server.createContext("/capacity", exchange -> answer(exchange, "PUT", () -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            ReservedStorage.capacity(new BigInteger(body.trim()));
            return "{}";
        }));
        server.createContext("/judge", exchange -> answer(exchange, "PUT", () -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            String[] words = body.trim().split(" ");
            return ReservedStorage.judgePartitions(words[0], Integer.parseInt(words[1]));
        }));
        server.createContext("/settled", exchange -> answer(exchange, "GET", () -> {
            Nodes.awaitMetadata();
            return "{}";
        }));
        server.start();
        return server;
    }

    private static String reserved() {
        Map<String, Reservation> all = new TreeMap<>(ReservedStorage.live());
        // Topic names are letters, digits, dot, underscore and hyphen: nothing to escape.
        String topics = all.entrySet().stream().map(e -> "\"" + e.getKey() + "\":\"" + e.getValue() + "\"")
            .collect(Collectors.joining(","));
        return "{\"total\":\"" + ReservedStorage.total(all) + "\",\"topics\":{" + topics + "}}";
    }

    private interface Body {
        String get() throws Exception;
    }

    private static void answer(HttpExchange exchange, String method, Body body) throws IOException {
        int status = 200;
        String text;
        try {
            if (!exchange.getRequestMethod().equals(method)) {
                status = 405;
                text = "only " + method;
            } else {
                text = body.get();
            }
        } catch (Exception e) {
            status = 500;
            text = e + (e.getCause() == null ? "" : ": " + e.getCause());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
