import type { VaultSettings } from '../core/settings.js';
import { ownMember } from '../core/json-object.js';
import { isVaultOutage } from './failure-class.js';
import type { SecretData } from './secret-reader.js';
import type { VaultErrorCode } from './vault-error.js';

/** How often secrets are looked at. */
export interface RefreshRateLimit {
  readonly refresh: Pick<VaultSettings['refresh'], 'intervalSeconds' | 'jitter'>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const FLOOR_SECONDS = 30;
const RETRY_SECONDS = 30;
const ROTATING_SECONDS = 5;

/** Milliseconds until a secret that Vault keeps is read again. */
export function rereadMs(data: SecretData, pace: RefreshRateLimit): number {
  const rotation = rotationSeconds(data);
  // A second later than Vault says, because it rotates by whole seconds; at 0 the rotation is under way.
  if (rotation !== undefined) return (rotation > 0 ? rotation + 1 : ROTATING_SECONDS) * 1000;
  return jittered(hintSeconds(data) ?? pace.refresh.intervalSeconds, pace);
}

/** Milliseconds until a read that failed is tried again: soon when Vault was away, for others have to mend the rest. */
export function retryMs(code: VaultErrorCode, pace: RefreshRateLimit): number {
  const { intervalSeconds } = pace.refresh;
  return jittered(isVaultOutage(code) ? Math.min(RETRY_SECONDS, intervalSeconds) : intervalSeconds, pace);
}

function jittered(seconds: number, { refresh, random }: RefreshRateLimit): number {
  const spread = 1 + (2 * random() - 1) * refresh.jitter;
  return Math.max(FLOOR_SECONDS, seconds * spread) * 1000;
}

/** What is left of a password that the database engine rotates by itself (`static-creds`). */
function rotationSeconds({ engine, fields }: SecretData): number | undefined {
  const ttl = ownMember(fields, 'ttl');
  const rotates = engine !== 'kv2' && ownMember(fields, 'last_vault_rotation') !== undefined;
  return rotates && typeof ttl === 'number' ? ttl : undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The key `ttl` or `lease` of a secret in KV version 1, by which its author asks how often to look. */
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
