package io.gpuflow.step;

import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.JsonTree;
import io.gpuflow.advise.ModelReader;
import io.gpuflow.facts.ModelSize;
import java.util.Map;

/**
 * How many parameters a model has, from the config.json of Hugging Face transformers or from a file
 * that says {@code {"parameters": 8030261248}}.
 */
final class ModelDescription {
    /** More than any model has; a larger number is a mistake. */
    private static final double MOST = 1e15;

    /** The file does not describe a model. */
    static final class NotRead extends Exception {
        private static final long serialVersionUID = 1L;

        NotRead(String why) {
            super(why);
        }
    }

    private ModelDescription() {}

    /**
     * Reads a description.
     *
     * @param name of the file, for messages
     */
    static ModelSize read(String name, String text) throws NotRead {
        try {
            Map<String, Object> tree = JsonTree.read(name, text);
            double parameters =
                    tree.get("parameters") instanceof Number given
                            ? checked(name, given.doubleValue())
                            : ModelReader.read(name, tree).parameters().total();
            return new ModelSize(
                    named(tree, name),
                    Math.round(parameters),
                    Math.round(parameters * MemoryNeed.BYTES_PER_PARAMETER));
        } catch (BadModel e) {
            throw new NotRead(String.join("; ", e.problems()));
        }
    }

    private static String named(Map<String, Object> tree, String file) {
        for (String key : new String[] {"_name_or_path", "model_type"}) {
            if (tree.get(key) instanceof String text && !text.isEmpty()) {
                return text;
            }
        }
        return file;
    }

    private static double checked(String name, double parameters) throws NotRead {
        if (!(parameters >= 1 && parameters <= MOST)) {
            throw new NotRead(name + ": " + parameters + " parameters: that is no model");
        }
        return parameters;
    }
}
