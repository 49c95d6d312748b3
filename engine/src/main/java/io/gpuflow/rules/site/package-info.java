/**
 * Site policy: what site.yaml and its own rules change, where they lie, and whom they may trust.
 */
package io.gpuflow.rules.site;
