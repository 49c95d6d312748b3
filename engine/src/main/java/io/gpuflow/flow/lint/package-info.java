/**
 * Reading workflow files: the table of what may stand in them, one class a kind of mistake, and the
 * records that come out when there is none.
 */
package io.gpuflow.flow.lint;
