import { type LocalIssuer, openLocalIssuer } from '../../src/auth/local-issuer.js';
import { type Clock, systemClock } from '../../src/core/lib/clock.js';

interface MintTerms {
  readonly clock?: Clock;
  readonly tokenTtlSeconds?: number;
}

/** Signs tokens of the built-in issuer whose key a server has made in this file; they live for an hour unless told. */
export async function openMint(
  keyFile: string,
  { clock = systemClock, tokenTtlSeconds = 3600 }: MintTerms = {},
): Promise<LocalIssuer['issueToken']> {
  const { issueToken: mint } = await openLocalIssuer({ keyFile, clock, tokenTtlSeconds, createKey: false });
  return mint;
}
