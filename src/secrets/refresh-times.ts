import type { VaultSettings } from '../core/vault-settings.js';
import { ownMember } from '../json/json-object.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { type Clock, elapsedSince, type Scheduler } from '../lib/clock.js';
import { singleFlight } from '../lib/single-flight.js';
import { isVaultOutage, type SecretErrorCode } from './secret-error.js';
import type { SecretData } from './vault/secret-reader.js';

/** Settings for the time between two reads of a secret. */
export interface RefreshSchedule {
  readonly refresh: Pick<VaultSettings['refresh'], 'intervalSeconds' | 'jitter'>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

const MIN_SECONDS = 30;
const RETRY_SECONDS = 30;
/** Time until the next read while the database engine rotates a password. */
const ROTATING_SECONDS = 5;

/** Returns the milliseconds until a secret that Vault stores is read again. */
export function rereadMs(data: SecretData, schedule: RefreshSchedule): number {
  const rotation = rotationSeconds(data);
  // Adds one second, because Vault rotates in whole seconds. At 0 it rotates within seconds.
  if (rotation !== undefined) return (rotation > 0 ? rotation + 1 : ROTATING_SECONDS) * 1000;
  return jittered(hintSeconds(data) ?? schedule.refresh.intervalSeconds, schedule);
}

/**
 * Returns the milliseconds until a failed read is repeated. It is repeated soon if Vault was unavailable; any
 * other failure needs a correction first.
 */
export function retryMs(code: SecretErrorCode, schedule: RefreshSchedule): number {
  const { intervalSeconds } = schedule.refresh;
  return jittered(isVaultOutage(code) ? Math.min(RETRY_SECONDS, intervalSeconds) : intervalSeconds, schedule);
}

function jittered(seconds: number, { refresh, random }: RefreshSchedule): number {
  const spread = 1 + (2 * random() - 1) * refresh.jitter;
  return Math.max(MIN_SECONDS, seconds * spread) * 1000;
}

/**
 * Returns the remaining seconds of a password that the database engine rotates (`static-creds`); undefined
 * for any other secret.
 */
function rotationSeconds({ engine, fields }: SecretData): number | undefined {
  const ttl = ownMember(fields, 'ttl');
  const rotates = engine !== 'kv2' && ownMember(fields, 'last_vault_rotation') !== undefined;
  return rotates && typeof ttl === 'number' ? ttl : undefined;
}

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Returns the seconds in the key `ttl` or `lease` of a KV version 1 secret. The author of the secret sets
 * this key to request a refresh interval.
 */
function hintSeconds({ engine, fields }: SecretData): number | undefined {
  if (engine !== 'kv1') return undefined;
  const written = ownMember(fields, 'ttl') ?? ownMember(fields, 'lease');
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  const text = String(written);
  if (/^\d{1,9}$/.test(text)) return Number(text) || undefined;
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([smhd])/g)];
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (SECONDS_BY_UNIT[unit ?? ''] ?? 0),
    0,
  );
  return seconds || undefined;
}

/** Returns true for a password that the database engine is about to rotate, or should have rotated by now. */
export function isRotationDue(data: SecretData, ageMs: number): boolean {
  const rotation = rotationSeconds(data);
  // Vault counts in whole seconds: the rotation may be up to one second earlier.
  return rotation !== undefined && ageMs >= (rotation - 1) * 1000;
}

/** Reads during the rotation of a password, and the pause between them in milliseconds. */
const MAX_ROTATION_READS = 10;
const ROTATION_PAUSE_MS = 200;

/**
 * Reads until a value changed, for two seconds, while the database engine rotates a password: the database has the
 * new password a moment before Vault returns it. Resolves to the result of the last read: true if a value changed.
 */
export async function readUntilRotated(
  read: () => Promise<boolean>,
  isDue: () => boolean,
  scheduler: Pick<Scheduler, 'after'>,
): Promise<boolean> {
  for (let reads = 1; ; reads += 1) {
    if (await read()) return true;
    if (reads === MAX_ROTATION_READS || !isDue()) return false;
    await new Promise<void>((resolve) => scheduler.after(ROTATION_PAUSE_MS, resolve));
  }
}

/** Minimum time after a read that found the same values, in milliseconds. */
const UNCHANGED_MS = 30_000;
/** The same after a read that found other values. Leased credentials are others with each read. */
const CHANGED_MS = 5_000;
/** The same while the database engine rotates a password. */
const ROTATION_MS = 1_000;
/** Maximum number of owners whose latest read is known. */
const MAX_OWNERS = 10_000;

/** Secrets by owner. */
interface OwnerSecrets {
  /** Reads the secrets of an owner. Resolves to true if a value changed. */
  refreshOwner(owner: string): Promise<boolean>;
  /** Returns true if a password of the owner is about to be rotated. */
  isRotationDue(owner: string): boolean;
}

interface RefusalRead {
  readonly at: number;
  readonly waitMs: number;
}

/**
 * Creates a function that reads the secrets of an owner after a refusal by its orchestrator. Concurrent calls
 * share one read. A call that follows the previous read too soon resolves to false, so that a wrong password
 * floods Vault with no reads, and a hostile orchestrator creates few leases.
 */
export function createRefusalReread(
  secrets: OwnerSecrets,
  clock: Clock,
): (owner: string) => Promise<boolean> {
  const latest = new BoundedMap<string, RefusalRead>({ maxEntries: MAX_OWNERS });
  return singleFlight(
    async (owner: string) => {
      const previous = latest.get(owner);
      const sinceMs = previous ? elapsedSince(clock, previous.at) : Infinity;
      const waitMs = secrets.isRotationDue(owner) ? ROTATION_MS : (previous?.waitMs ?? 0);
      if (sinceMs < waitMs) return false;
      const isChanged = await secrets.refreshOwner(owner);
      latest.set(owner, { at: clock.now(), waitMs: isChanged ? CHANGED_MS : UNCHANGED_MS });
      return isChanged;
    },
    (owner) => owner,
  );
}
