/**
 * Ready-to-run files for a layout: one class for each tool that takes them, their text in templates
 * beside these classes.
 */
package io.gpuflow.advise.emit;
