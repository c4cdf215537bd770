import type { Secret } from './secret.js';

/**
 * Writes fields of one secret to Vault, at a path below the configured mount; its other fields stay. Throws a Problem
 * (`vault_unavailable`, `vault_refused`) when Vault does not take them.
 */
export type WriteSecrets = (path: string, fields: ReadonlyMap<string, Secret>) => Promise<void>;
