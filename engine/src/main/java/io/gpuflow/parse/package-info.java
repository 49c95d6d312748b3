/**
 * One parser per tool or file format: text in, facts out, nothing else. No process, no clock, no
 * locale.
 */
package io.gpuflow.parse;
