import type { Secret } from './secret.js';

/** Absolute path of a PEM file; or the PEM itself, where a reference to Vault stands in place of the path. */
export type PemFile = string | Secret;
