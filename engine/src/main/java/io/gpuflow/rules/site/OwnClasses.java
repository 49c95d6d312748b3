package io.gpuflow.rules.site;

import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.RulePackage;
import io.gpuflow.rules.build.OwnCompiler.Compiled;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.drools.model.Model;

/** Makes classes of compiled own rules, beside those of gpuflow. */
final class OwnClasses extends ClassLoader {
    private final Map<String, byte[]> classes;

    private OwnClasses(Map<String, byte[]> classes) {
        super(OwnClasses.class.getClassLoader());
        this.classes = new HashMap<>(classes);
    }

    /** The model of each rule by id. */
    static Map<String, Model> models(Compiled compiled, List<RuleCard> cards)
            throws ReflectiveOperationException {
        OwnClasses loader = new OwnClasses(compiled.classes());
        Map<String, String> byPackage = new HashMap<>();
        for (String model : compiled.models()) {
            byPackage.put(model.substring(0, model.lastIndexOf('.')), model);
        }
        Map<String, Model> models = new TreeMap<>();
        for (RuleCard card : cards) {
            String name = byPackage.get(RulePackage.of(card.area(), card.id()));
            if (name == null) {
                throw new ClassNotFoundException("the model of " + card.id());
            }
            Class<?> type = Class.forName(name, true, loader);
            models.put(card.id(), (Model) type.getDeclaredConstructor().newInstance());
        }
        return models;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name.replace('.', '/') + ".class");
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Drools compares conditions by the bytes of their classes. */
    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] bytes = classes.get(name);
        return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
    }
}
