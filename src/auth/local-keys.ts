import { createHash, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Account } from '../core/login.js';
import type { Clock } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { accountsOf, type AccountSettings } from './accounts.js';
import type { KeySet, KeySource } from './issuer.js';
import { type PreviousKey, readSigningKey } from './key-file.js';
import type { VerificationKey } from './keys.js';

/** Minimum time between two reads of the key file for unknown key ids, in milliseconds. Anybody can send any key id. */
const READ_INTERVAL_MS = 1_000;

/** A key that verifies tokens, and the key of the account marks in its tokens. */
interface KnownKey {
  readonly verification: VerificationKey & { readonly kid: string };
  readonly markKey: Buffer;
  /** Time from which the key verifies no token, in milliseconds since 1970. */
  readonly until: number;
}

interface LocalKeysOptions {
  readonly keyFile: string;
  readonly signing: KeyObject;
  /** The key that the latest rotation replaced. */
  readonly previous: PreviousKey | undefined;
  /** Longest lifetime of a token, in milliseconds: the time for which a replaced key still verifies. */
  readonly overlapMs: number;
  readonly clock: Clock;
}

/** The keys that verify the tokens of the built-in issuer. */
interface LocalKeys {
  readonly source: KeySource;
  /** Key id of the signing key. */
  readonly kid: string;
  /** Returns the accounts by their marks with every key. A key that is found later adds its marks to the latest map. */
  readonly accountsFor: (settings: AccountSettings) => ReadonlyMap<string, Account>;
}

/**
 * Creates the keys: the signing key, the key that it replaced, and a key that another process has put into the file meanwhile.
 * The nodes of a cluster thus accept each other's tokens while they are restarted one by one after a rotation.
 */
export function createLocalKeys({
  keyFile,
  signing,
  previous,
  overlapMs,
  clock,
}: LocalKeysOptions): LocalKeys {
  const first = knownKey(signing, Infinity);
  let known = [first, ...(previous ? [knownKey(previous.key, previous.rotatedAt + overlapMs)] : [])];
  let set: KeySet = { keys: known.map(({ verification }) => verification) };
  let latest: { readonly settings: AccountSettings; readonly accounts: Map<string, Account> } | undefined;
  let reading: Promise<KeySet> | undefined;
  const waitMs = createCooldown(clock, READ_INTERVAL_MS);

  const use = (keys: readonly KnownKey[]): void => {
    known = [...keys];
    set = { keys: known.map(({ verification }) => verification) };
  };
  const current = (): KeySet => {
    const valid = known.filter(({ until }) => until > clock.now());
    if (valid.length < known.length) use(valid);
    return set;
  };
  async function readAgain(): Promise<KeySet> {
    // A file that cannot be read changes nothing: the token has an unknown key.
    const found = await readSigningKey(keyFile).catch(() => undefined);
    const key = found && knownKey(found, Infinity);
    if (key && !known.some(({ verification: { kid } }) => kid === key.verification.kid)) {
      use([...known, key]);
      if (latest) addAccounts(latest.accounts, latest.settings, key);
    }
    return current();
  }
  return {
    kid: first.verification.kid,
    accountsFor(settings) {
      const accounts = new Map<string, Account>();
      for (const key of known) addAccounts(accounts, settings, key);
      latest = { settings, accounts };
      return accounts;
    },
    source: {
      current,
      renew() {
        if (reading) return reading;
        if (waitMs() > 0) return undefined;
        reading = readAgain().finally(() => {
          reading = undefined;
        });
        return reading;
      },
      refresh: () => undefined,
      prepare: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  };
}

function addAccounts(accounts: Map<string, Account>, settings: AccountSettings, { markKey }: KnownKey): void {
  for (const { account } of accountsOf(settings, markKey).values()) accounts.set(account.mark, account);
}

function knownKey(privateKey: KeyObject, until: number): KnownKey {
  const key = createPublicKey(privateKey);
  return {
    verification: { kid: thumbprint(key), algorithms: ['ES256'], key },
    markKey: deriveKey(privateKey, MARK_PURPOSE),
    until,
  };
}

export const MARK_PURPOSE = 'gatehouse marks of accounts';

/** Derives a key for one purpose from a private key (HKDF, RFC 5869). */
export function deriveKey(privateKey: KeyObject, purpose: string): Buffer {
  const material = privateKey.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', material, '', purpose, 32));
}

/** Returns the thumbprint of a key (RFC 7638): the hash of its required members, sorted by name. */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
