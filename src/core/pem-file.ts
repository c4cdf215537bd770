import type { Secret } from './secret.js';

/**
 * Absolute path of a PEM file, or its content if the configuration has a reference to Vault instead of the
 * path.
 */
export type PemFile = string | Secret;
