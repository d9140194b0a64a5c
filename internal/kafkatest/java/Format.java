// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import kafka.tools.StorageTool;

/** Formats a node's storage with Kafka's own tool, whose way in has changed with the versions. */
final class Format {
    private Format() {
    }

    static void storage(String cluster, String file) throws Exception {
        String[] arguments = {"format", "--ignore-formatted", "-t", cluster, "-c", file};
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(said)); // Older tools know no other place to speak to.
        int code;
        try {
            code = run(arguments, new PrintStream(said));
        } finally {
            System.setOut(out);
        }
        if (code != 0) {
            throw new IllegalStateException("formatting failed: " + file + ": " + said);
        }
    }

    private static int run(String[] arguments, PrintStream said) throws Exception {
        try {
            return (int) StorageTool.class.getMethod("execute", String[].class, PrintStream.class).invoke(null, arguments, said);
        } catch (NoSuchMethodException e) {
            return exitOf(StorageTool.class.getMethod("main", String[].class), arguments); // Before 3.9.
        }
    }

    /** Runs a main method to its exit. The class behind that is another in later versions, which do not come here. */
    private static int exitOf(Method main, String[] arguments) throws Exception {
        Class<?> exit = Class.forName("org.apache.kafka.common.utils.Exit");
        Class<?> procedure = Class.forName("org.apache.kafka.common.utils.Exit$Procedure");
        Object instead = Proxy.newProxyInstance(procedure.getClassLoader(), new Class<?>[] {procedure}, (self, called, with) -> {
            throw new Exited((int) with[0], (String) with[1]);
        });
        exit.getMethod("setExitProcedure", procedure).invoke(null, instead);
        try {
            main.invoke(null, (Object) arguments);
            return 0;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exited && ((Exited) e.getCause()).status == 0) {
                return 0;
            }
            throw e;
        } finally {
            exit.getMethod("resetExitProcedure").invoke(null);
        }
    }

    /** What stands in for the end of this JVM. */
    private static final class Exited extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;

        Exited(int status, String message) {
            super(status + " " + message);
            this.status = status;
        }
    }
}
