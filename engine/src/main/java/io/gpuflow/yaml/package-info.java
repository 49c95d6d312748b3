/**
 * YAML with positions, and the tables that say what a file may hold. The same table reads a file
 * and prints its JSON Schema. The only package that sees SnakeYAML.
 */
package io.gpuflow.yaml;
