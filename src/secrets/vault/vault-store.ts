import type { Log } from '../../core/log.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { Semaphore } from '../../lib/semaphore.js';
import { serializeByKey } from '../../lib/serial-queue.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { VaultSettings } from '../../settings/vault.js';
import { SecretError, type SecretFailure } from '../secret-error.js';
import { type SecretPath, encoded, policyPath } from '../secret-path.js';
import {
  type Lease,
  refusedStore,
  unconfigured,
  type SecretStore,
  type StoreChange,
  type SecretOutline,
} from '../store.js';
import { type Mount, readAddress, type ReadAddress } from './address.js';
import { checkVaultSettings } from './check-settings.js';
import { extractField } from './extract-field.js';
import type { VaultCertificates } from './http.js';
import { type ClientDeps, type OpenClient, openClient } from './open-client.js';
import { readSecret } from './read-secret.js';
import { createSecretBrowser, type SecretBrowser } from './secret-browser.js';
import { type SecretFields, writeSecret } from './secret-writer.js';
import type { RequestCount } from './transport.js';

/** Vault, which also grants leases, is written to, and is browsed. Each operation throws a {@link SecretError} if it fails. */
interface VaultStore extends SecretStore {
  /** Requests the duration of the lease again; returns the renewed lease. */
  renewLease(lease: Lease): Promise<Lease>;
  /** Revokes a lease. Does not reject; logs a failure. */
  revokeLease(id: string): Promise<void>;
  /**
   * Sets fields of a secret and keeps its other fields; one write at a time for a path. Returns the version that has
   * them, or null if the engine keeps no versions.
   */
  write(path: SecretPath, fields: SecretFields): Promise<number | null>;
  readonly browser: SecretBrowser;
  traffic(): Traffic;
  /** Returns the certificates of the connection; none before the first request. */
  certificates(): VaultCertificates;
}

/** Request counts and token lifetime of the connection to Vault. */
export interface Traffic {
  readonly requests: readonly RequestCount[];
  /** Remaining seconds of the token; Infinity if it never ends, absent without a token. */
  readonly tokenSeconds?: number;
  /** Lifetime of the token at its latest grant, in seconds; Infinity if it never ends, absent without a token. */
  readonly tokenLifetimeSeconds?: number;
}

/** Failure of every reference without a block `vault`. */
export const VAULT_NOT_CONFIGURED: SecretFailure = {
  code: 'VAULT_NOT_CONFIGURED',
  message: 'The value is a reference to Vault, and no Vault is configured',
  fix: 'Add a "vault" block with address and auth to the configuration.',
};

/** A standby node answers reads itself, and may not have a value yet that was just written. */
const STANDBY_CONFIRM_MS = [1_000, 3_000];

/**
 * Opens Vault as a store of secrets. Connects before the first request. Without usable settings every operation fails.
 */
export function openVaultStore(settings: VaultSettings | null, deps: ClientDeps): VaultStore {
  const refusal = settings && checkVaultSettings(settings, deps.env)[0];
  if (!settings || refusal) return refusedVault(() => refusal ?? notConfigured(deps));
  const { refresh, request, mount } = settings;
  const listeners: ((change: StoreChange) => void)[] = [];
  const connection = openLazily(async () => {
    const opened = await openClient(settings, deps);
    opened.tokens.onNewToken(() => {
      for (const listener of listeners) listener('token');
    });
    return opened;
  });
  const requests = new Semaphore(request.concurrency);
  const inTurn = <Result>(work: (opened: OpenClient) => Promise<Result>): Promise<Result> =>
    requests.run(async () => work(await connection.get()));
  const revokeLease = async (id: string): Promise<void> => {
    try {
      const { client, tokens } = await connection.get();
      await client.revokeLease(id, await tokens.current());
    } catch (error) {
      warnOfLease(deps.log, error);
    }
  };
  return {
    refresh: {
      ...refresh,
      afterRefusal: refresh.onAuthFailure ? 'limited' : 'never',
      confirmMs: STANDBY_CONFIRM_MS,
      announcesTogether: false,
    },
    // Concurrent reads of a path are one.
    read: singleFlight(
      (path) => inTurn((opened) => readSecret(path, opened)),
      ({ key }) => key,
    ),
    lookUp: (path) => inTurn((opened) => lookUpSecret(path, opened)),
    renewLease: async (lease) => {
      const { client, tokens } = await connection.get();
      return tokens.use('sys/leases/renew', (token) => client.renewLease(lease, token));
    },
    revokeLease,
    write: serializeByKey(
      async (path, fields) => writeSecret(path, fields, await connection.get()),
      (path) => path.key,
    ),
    browser: createSecretBrowser(connection.get, mount),
    onChange: (listener) => {
      listeners.push(listener);
    },
    rereadCredential: async () => connection.now()?.tokens.rereadCredential(),
    traffic: () => trafficOf(connection.now()),
    certificates: () => connection.now()?.certificates() ?? { files: [] },
    close: async (leases) => {
      const opened = await connection.opened();
      // The leases of a token end with the token.
      if (opened && !opened.tokens.ownsToken) await Promise.all(leases.map(revokeLease));
      await opened?.close();
    },
  };
}

function warnOfLease(log: Log, error: unknown): void {
  const fix =
    'The lease ends without a revocation; to revoke leases at once, allow "update" on sys/leases/revoke.';
  log.warn('lease not revoked', { code: error instanceof SecretError ? error.code : 'unknown', fix });
}

function notConfigured({ isConfigured }: ClientDeps): SecretFailure {
  return unconfigured(VAULT_NOT_CONFIGURED, 'vault', isConfigured);
}

function refusedVault(failure: () => SecretFailure): VaultStore {
  const refuse = (): Promise<never> => Promise.reject(new SecretError(failure()));
  return {
    ...refusedStore(failure),
    renewLease: refuse,
    revokeLease: () => Promise.resolve(),
    write: refuse,
    browser: { listFolder: refuse, listFields: refuse },
    traffic: () => ({ requests: [] }),
    certificates: () => ({ files: [] }),
  };
}

function trafficOf(opened: OpenClient | undefined): Traffic {
  if (!opened) return { requests: [] };
  const tokenSeconds = opened.tokens.secondsLeft();
  const tokenLifetimeSeconds = opened.tokens.lifetimeSeconds();
  return {
    requests: opened.requests(),
    ...(tokenSeconds !== undefined && { tokenSeconds }),
    ...(tokenLifetimeSeconds !== undefined && { tokenLifetimeSeconds }),
  };
}

interface LazyConnection {
  readonly get: () => Promise<OpenClient>;
  /** Resolves to the connection, or to undefined if it was not opened. */
  readonly opened: () => Promise<OpenClient | undefined>;
  /** Returns the connection without waiting for a pending opening. */
  readonly now: () => OpenClient | undefined;
}

/** Opens the connection on first use, and again on the next use after a failure. */
function openLazily(open: () => Promise<OpenClient>): LazyConnection {
  let opening: Promise<OpenClient> | undefined;
  let opened: OpenClient | undefined;
  const get = async (): Promise<OpenClient> => (opened = await open());
  return {
    get: () =>
      (opening ??= get().catch((error: unknown) => {
        opening = undefined;
        throw error;
      })),
    opened: async () => opening?.catch(() => undefined),
    now: () => opened,
  };
}

const PLACEHOLDER = 'set';

/**
 * Returns the outline of a secret. Reads `subkeys` of KV version 2, which contain no values, and asks whether the token
 * may read the secret. KV version 1 has no equivalent, so the secret itself is read. A secret of another engine is new
 * for every read, so it is not read. Throws a {@link SecretError}.
 */
async function lookUpSecret(path: SecretPath, parts: OpenClient): Promise<SecretOutline> {
  const { client, tokens, mounts } = parts;
  const mount = await mounts.find(path);
  const { url: secretUrl, shown, shorterPathFix } = readAddress(path, mount);
  if (mount.engine !== 'kv1') await assertReadable({ shown, shorterPathFix }, parts);
  if (mount.engine === 'other')
    return { shown, version: null, names: [], asked: false, hasValues: false, select: () => PLACEHOLDER };
  const url = mount.engine === 'kv2' ? subkeysUrl(path, mount) : secretUrl;
  const { data } = await tokens.use(url, (token) => client.read(url, token));
  return mount.engine === 'kv1'
    ? {
        shown,
        version: null,
        ...namesOf(data),
        hasValues: true,
        select: (reference) => extractField(data, reference),
      }
    : outlineOf(data, subkeysUrl({ ...path, version: null }, mount));
}

function namesOf(fields: JsonObject): Pick<SecretOutline, 'names' | 'asked'> {
  return { names: Object.keys(fields).sort(), asked: true };
}

const CAPABILITIES = 'sys/capabilities-self';

/**
 * Throws `VAULT_DENIED` if the policies of the token do not let the server read the path. A token whose policies
 * do not answer this question passes.
 */
async function assertReadable(
  { shown: path, shorterPathFix }: Pick<ReadAddress, 'shown' | 'shorterPathFix'>,
  { client, tokens }: OpenClient,
): Promise<void> {
  const inPolicy = policyPath(path);
  let reply: unknown;
  try {
    reply = await tokens.use(CAPABILITIES, (token) =>
      client.write(CAPABILITIES, { paths: [inPolicy] }, token),
    );
  } catch (error) {
    if (error instanceof SecretError && [403, 404].includes(error.facts.status ?? 0)) return;
    throw error;
  }
  const granted = ownMember(reply, 'capabilities');
  if (!Array.isArray(granted) || granted.some((one) => one === 'read' || one === 'root')) return;
  throw new SecretError({
    code: 'VAULT_DENIED',
    message: `The policies of the token do not let the server read "${path}"`,
    fix: shorterPathFix ?? `Give the role a policy: path "${inPolicy}" { capabilities = ["read"] }.`,
  });
}

function subkeysUrl({ segments, version }: SecretPath, { length }: Mount): string {
  const url = encoded([...segments.slice(0, length), 'subkeys', ...segments.slice(length)]);
  return version === null ? url : `${url}?version=${version}`;
}

function outlineOf(data: JsonObject, shown: string): SecretOutline {
  const subkeys = ownMember(data, 'subkeys');
  const version = ownMember(ownMember(data, 'metadata'), 'version');
  if (isJsonObject(subkeys) && typeof version === 'number') {
    const fields = withPlaceholders(subkeys);
    // Placeholders reveal nothing about the encoding.
    const select: SecretOutline['select'] = (reference) =>
      extractField(fields, { ...reference, encoding: 'utf8' });
    return { shown, version, ...namesOf(fields), hasValues: false, select };
  }
  throw new SecretError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${shown}" does not list the fields of a secret of KV version 2`,
    fix: 'Set vault.kvVersion to 1, or update Vault: it lists fields since version 1.10.',
  });
}

function withPlaceholders(subkeys: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(subkeys).map(([name, nested]) => [
      name,
      isJsonObject(nested) ? withPlaceholders(nested) : PLACEHOLDER,
    ]),
  );
}
