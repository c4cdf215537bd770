import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../domain/log.js';
import type { VaultSettings } from '../domain/settings.js';
import { checkVaultSettings } from './check-settings.js';
import { connect, type ConnectDeps, type Connection } from './connect.js';
import { extractField, type SecretValue } from './extract-field.js';
import type { PlacedReference } from './find-references.js';
import type { PlainObject } from './plain-object.js';
import type { ReadSecret } from './secret-reader.js';
import { secretPath, type SecretPath } from './secret-path.js';
import { failureOf, type VaultFailure } from './vault-error.js';

/** The value that a reference stands for, or why it cannot be had. */
export type Resolution = { readonly value: SecretValue } | VaultFailure;

/** Where secrets come from. */
export interface SecretSource {
  /**
   * The value of every reference, by pointer. Fields of one secret come from one read, so that a user name and its
   * password belong together. A value is never looked at for further references. Rejects only on a bug.
   */
  resolve(references: readonly PlacedReference[]): Promise<ReadonlyMap<string, Resolution>>;
  /** Revokes the token if it is ours and ends the connections; a second call waits for the first. */
  close(): Promise<void>;
}

/** What the room needs from outside; `wait` and `random` are for tests to own. */
export type SecretDeps = Omit<ConnectDeps, 'wait' | 'random'> &
  Partial<Pick<ConnectDeps, 'wait' | 'random'>> & { readonly log: Log };

/**
 * Makes the source that the settings describe. Nothing is read and no request is sent before the first `resolve`;
 * credentials that are missing make its references fail, not the start. Without settings every reference fails.
 */
export function openSecrets(settings: VaultSettings | null, deps: SecretDeps): SecretSource {
  const refusal = settings === null ? VAULT_NOT_CONFIGURED : checkVaultSettings(settings, deps.env)[0];
  if (settings === null || refusal) return refusingSource(refusal ?? VAULT_NOT_CONFIGURED);
  let opening: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;
  const open = (): Promise<Connection> => {
    opening ??= connect(settings, { wait, random: Math.random, ...deps }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    resolve: async (references) => {
      const groups = groupByPath(references, settings);
      const read: ReadSecret = async (path) => (await open()).read(path);
      const resolved = await Promise.all(groups.map((group) => resolveGroup(group, read, deps.log)));
      return new Map(resolved.flat());
    },
    close: () => (closing ??= closeWhenOpen(opening)),
  };
}

async function closeWhenOpen(opening: Promise<Connection> | undefined): Promise<void> {
  const connection = await opening?.catch(() => undefined);
  await connection?.close();
}

/** Why no reference can be resolved without a block `vault`. */
export const VAULT_NOT_CONFIGURED: VaultFailure = {
  code: 'VAULT_NOT_CONFIGURED',
  message: 'The value is a reference to Vault, and no Vault is configured',
  fix: 'Add a "vault" block with address and auth to the configuration.',
};

function refusingSource({ code, message, fix }: VaultFailure): SecretSource {
  return {
    resolve: (references) =>
      Promise.resolve(new Map(references.map(({ pointer }) => [pointer, { code, message, fix }]))),
    close: () => Promise.resolve(),
  };
}

interface Group {
  readonly path: SecretPath;
  readonly members: PlacedReference[];
}

function groupByPath(references: readonly PlacedReference[], settings: VaultSettings): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const placed of references) {
    const path = secretPath(placed.reference, settings);
    const group = groups.get(path.key) ?? { path, members: [] };
    group.members.push(placed);
    groups.set(path.key, group);
  }
  return [...groups.values()];
}

type Entry = readonly [pointer: string, resolution: Resolution];

async function resolveGroup({ path, members }: Group, read: ReadSecret, log: Log): Promise<readonly Entry[]> {
  try {
    const { fields, version, requestId } = await read(path);
    const pointers = members.map(({ pointer }) => pointer);
    log.info('secret read', { path: path.shown, version, pointers, vaultRequestId: requestId });
    return members.map((member) => [member.pointer, resolveMember(member, fields, log)]);
  } catch (error) {
    const failure = failureOf(error);
    return members.map(({ pointer }) => [pointer, failure]);
  }
}

function resolveMember({ pointer, reference }: PlacedReference, fields: PlainObject, log: Log): Resolution {
  try {
    const value = extractField(fields, reference);
    if (typeof value === 'string' && value.endsWith('\n'))
      log.warn('secret ends in a line break', { pointer });
    return { value };
  } catch (error) {
    return failureOf(error);
  }
}

/** Resolves early when the signal fires. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
