/** Schema of the state of Vault in replies. */
export const vaultSchema = {
  enum: ['ok', 'degraded', 'down'],
  description:
    'degraded: Vault does not answer for secrets in use, and their last good values serve on; ' +
    'down: some have ended, or are older than vault.refresh.maxStaleSeconds',
} as const;
