import type { Secret } from './secret.js';

/**
 * Writes fields of one secret to Vault, at a path below the configured mount; its other fields are kept.
 * Throws a Problem (`vault_unavailable`, `vault_refused`) if Vault does not accept the fields.
 */
export type WriteSecrets = (path: string, fields: ReadonlyMap<string, Secret>) => Promise<void>;
