import type { Secret } from './secret.js';

/**
 * Absolute path of a PEM file. If the configuration contains a reference to Vault instead of the path, the
 * content.
 */
export type PemFile = string | Secret;
