import { type LocalIssuer, openLocalIssuer } from '../../src/auth/local-issuer.js';
import { type Clock, systemClock } from '../../src/lib/clock.js';

interface MintTerms {
  readonly clock?: Clock;
  readonly tokenTtlSeconds?: number;
}

/**
 * Opens a signer of tokens with the key that the built-in issuer of a server created in this file; lifetime
 * one hour by default.
 */
export async function openTokenSigner(
  keyFile: string,
  { clock = systemClock, tokenTtlSeconds = 3600 }: MintTerms = {},
): Promise<LocalIssuer['issueToken']> {
  const { issueToken: issue } = await openLocalIssuer({ keyFile, clock, tokenTtlSeconds, createKey: false });
  return issue;
}
