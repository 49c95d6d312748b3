/** Loading rules, judging facts, explaining the verdict. The only package that sees Drools. */
package io.gpuflow.rules;
