import type { VaultSettings } from '../core/settings.js';
import { extractField } from './extract-field.js';
import type { LocatedReference } from './find-references.js';
import { askedMounts, fixedMounts } from './mount-info.js';
import { createNameReader, type ReadNames, type SecretNames } from './name-reader.js';
import { openClient, type ClientDeps } from './open-client.js';
import type { Reference } from './reference.js';
import { secretPath } from './secret-path.js';
import { singleFlight } from '../core/lib/single-flight.js';
import { failureOf, type VaultFailure } from './vault-error.js';
import { createWithToken } from './authenticated-request.js';

/** What Vault has for a reference; no value is in here, nor was one kept. */
export interface LookupResult {
  readonly pointer: string;
  /** Path that was asked, with the mount. */
  readonly path: string;
  readonly version: number | null;
  readonly field: string | null;
  /** Names of the fields that are there. */
  readonly names: readonly string[];
  /** False for an engine that makes a new secret for every read: it was not asked. */
  readonly asked: boolean;
  /** Why the reference cannot be resolved. */
  readonly failure?: VaultFailure;
}

/**
 * Asks Vault for every reference whether its field is there, without reading values where the engine can tell
 * (KV version 2). Logs in, asks for each path once, and logs out. Rejects only on a bug.
 */
export async function resolveReferences(
  references: readonly LocatedReference[],
  settings: VaultSettings,
  deps: ClientDeps,
): Promise<readonly LookupResult[]> {
  try {
    const opened = await openClient(settings, deps);
    const { client, tokens } = opened;
    const withToken = createWithToken(tokens, deps.scheduler);
    const { kvVersion, mount, request } = settings;
    const mounts = kvVersion === 'auto' ? askedMounts(client, withToken) : fixedMounts(kvVersion);
    const readNames = singleFlight(createNameReader({ client, withToken, mounts }), {
      keyOf: ({ key }) => key,
      limit: request.concurrency,
    });
    try {
      return await Promise.all(references.map((placed) => resolveReference(placed, mount, readNames)));
    } finally {
      await opened.close();
    }
  } catch (error) {
    const failure = failureOf(error);
    return references.map((placed) => ({ ...unseen(placed, settings.mount), failure }));
  }
}

async function resolveReference(
  placed: LocatedReference,
  mount: string,
  readNames: ReadNames,
): Promise<LookupResult> {
  const before = unseen(placed, mount);
  try {
    const secret = await readNames(secretPath(placed.reference, mount));
    const { shown: path, version, fields } = secret;
    const failure = fieldFailure(secret, placed.reference);
    const seen = { path, version, names: Object.keys(fields ?? {}), asked: fields !== null };
    return { ...before, ...seen, ...(failure && { failure }) };
  } catch (error) {
    return { ...before, failure: failureOf(error) };
  }
}

function unseen({ pointer, reference }: LocatedReference, mount: string): LookupResult {
  const { key: path, version } = secretPath(reference, mount);
  return { pointer, path: path.replace(/\?.*/, ''), version, field: reference.field, names: [], asked: true };
}

/** Stand-ins say nothing about how a value is encoded. */
function fieldFailure({ fields, version }: SecretNames, reference: Reference): VaultFailure | undefined {
  if (fields === null) return undefined;
  try {
    extractField(fields, version === null ? reference : { ...reference, encoding: 'utf8' });
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}
