import type { Secret } from './secret.js';

/**
 * Writes fields of one secret to Vault, at a path below the configured mount. Does not change its other
 * fields. Throws `vault_unavailable` or `vault_refused`.
 */
export type WriteSecrets = (path: string, fields: ReadonlyMap<string, Secret>) => Promise<void>;
