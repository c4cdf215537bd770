import { ClientFailure } from '../../auth/oidc/client-failure.js';
import type { OidcClient, TokenSet } from '../../auth/oidc/client-types.js';
import { openOidcClient } from '../../auth/oidc/client.js';
import { systemClock } from '../../lib/clock.js';
import { openHttpClient } from '../../upstream/client.js';
import { expiryOf, type Keyring, type KeyringEntry, readCa } from './keyring.js';

/** Remaining lifetime under which an access token is renewed before its use, in milliseconds. */
const MIN_LIFETIME_MS = 30_000;

/** The user has no valid tokens. The message says how to sign in. */
export class NotSignedIn extends Error {}

/** A server of the keyring with a token that is valid for some time. */
export interface ShellSession {
  readonly url: string;
  readonly entry: KeyringEntry;
}

/**
 * Returns the tokens for a server, or for that of the latest login. Renews an access token that expires soon
 * (RFC 6749 section 6). One process renews at a time, because an identity provider may end the session when
 * a refresh token is used twice. Throws {@link NotSignedIn}, or an Error of the identity provider.
 */
export async function openShellSession(keyring: Keyring, url?: string): Promise<ShellSession> {
  const found = await keyring.find(url);
  if (!found) throw new NotSignedIn(notSignedIn(url));
  if (isFresh(found.entry)) return found;
  return keyring.locked(async () => {
    // Another process may have renewed the tokens while this one waited for the lock.
    const latest = await keyring.find(found.url);
    if (!latest) throw new NotSignedIn(notSignedIn(found.url));
    if (isFresh(latest.entry)) return latest;
    const entry = await renew(latest);
    await keyring.keep(latest.url, entry);
    return { url: latest.url, entry };
  });
}

function notSignedIn(url: string | undefined): string {
  return url === undefined
    ? 'you are not signed in at a server. Run: gatehouse login URL'
    : `you are not signed in at ${url}. Run: gatehouse login ${url}`;
}

function isFresh({ expiresAt }: KeyringEntry): boolean {
  return expiresAt - systemClock.now() > MIN_LIFETIME_MS;
}

async function renew({ url, entry }: ShellSession): Promise<KeyringEntry> {
  const { provider, refreshToken, expiresAt, username } = entry;
  if (!provider || refreshToken === undefined) {
    // A login with a password has no refresh token, so its token is used to the end.
    if (expiresAt > systemClock.now()) return entry;
    const option = username === undefined ? '' : ` --username ${username}`;
    throw new NotSignedIn(`your sign-in at ${url} has expired. Run: gatehouse login ${url}${option}`);
  }
  const client = openClient(provider, await readCa(entry.caFile));
  try {
    return entryOf(await client.refresh(refreshToken), entry);
  } catch (error) {
    if (!(error instanceof ClientFailure) || error.kind !== 'refused') throw error;
    throw new NotSignedIn(`your sign-in at ${url} has ended. Run: gatehouse login ${url}`);
  } finally {
    await client.close();
  }
}

/** Opens the client of an identity provider for this user. */
export function openClient(
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  ca: string | undefined,
): OidcClient {
  return openOidcClient(
    { issuer, clientId, ca },
    { openHttpClient, clock: systemClock, limits: ISSUER_LIMITS },
  );
}

/** Limits of one request to an identity provider; two of them fit into the lifetime of a lock. */
const ISSUER_LIMITS = { totalMs: 10_000, replyBytes: 256 * 1024 };

/** Returns the entry for new tokens. An identity provider that sends no refresh token leaves the former valid. */
export function entryOf(
  { accessToken, refreshToken, expiresIn = 60 }: TokenSet,
  before: Pick<KeyringEntry, 'provider' | 'refreshToken' | 'caFile'>,
): KeyringEntry {
  const kept = refreshToken ?? before.refreshToken;
  return {
    accessToken,
    expiresAt: expiryOf(accessToken) ?? systemClock.now() + expiresIn * 1000,
    ...(before.provider && { provider: before.provider }),
    ...(kept !== undefined && { refreshToken: kept }),
    ...(before.caFile !== undefined && { caFile: before.caFile }),
  };
}
