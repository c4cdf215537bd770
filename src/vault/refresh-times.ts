import type { VaultSettings } from '../core/settings.js';
import { ownMember } from '../core/json-object.js';
import { isVaultOutage } from './failure-class.js';
import type { SecretData } from './secret-reader.js';
import type { VaultErrorCode } from './vault-error.js';

/** Settings for the time between two reads of a secret. */
export interface RefreshRateLimit {
  readonly refresh: Pick<VaultSettings['refresh'], 'intervalSeconds' | 'jitter'>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

const FLOOR_SECONDS = 30;
const RETRY_SECONDS = 30;
const ROTATING_SECONDS = 5;

/** Returns the milliseconds until a secret that Vault stores is read again. */
export function rereadMs(data: SecretData, pace: RefreshRateLimit): number {
  const rotation = rotationSeconds(data);
  // Adds one second, because Vault rotates in whole seconds. At 0 the rotation is in progress.
  if (rotation !== undefined) return (rotation > 0 ? rotation + 1 : ROTATING_SECONDS) * 1000;
  return jittered(hintSeconds(data) ?? pace.refresh.intervalSeconds, pace);
}

/**
 * Returns the milliseconds until a failed read is repeated. It is repeated soon if Vault was unavailable; any
 * other failure needs a correction first.
 */
export function retryMs(code: VaultErrorCode, pace: RefreshRateLimit): number {
  const { intervalSeconds } = pace.refresh;
  return jittered(isVaultOutage(code) ? Math.min(RETRY_SECONDS, intervalSeconds) : intervalSeconds, pace);
}

function jittered(seconds: number, { refresh, random }: RefreshRateLimit): number {
  const spread = 1 + (2 * random() - 1) * refresh.jitter;
  return Math.max(FLOOR_SECONDS, seconds * spread) * 1000;
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

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Returns the seconds in the key `ttl` or `lease` of a KV version 1 secret. With this key the author of the
 * secret requests a refresh interval.
 */
function hintSeconds({ engine, fields }: SecretData): number | undefined {
  if (engine !== 'kv1') return undefined;
  const written = ownMember(fields, 'ttl') ?? ownMember(fields, 'lease');
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  const text = String(written);
  if (/^\d{1,9}$/.test(text)) return Number(text) || undefined;
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([smhd])/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  return seconds || undefined;
}
