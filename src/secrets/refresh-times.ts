import type { Scheduler } from '../lib/clock.js';
import { isVaultOutage, type SecretErrorCode } from './secret-error.js';
import type { RefreshTerms, ReportedTimes } from './store.js';

/** Settings for the time between two reads of a secret. */
interface RefreshSchedule {
  readonly refresh: Pick<RefreshTerms, 'intervalSeconds' | 'jitter'>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

const MIN_SECONDS = 30;
const RETRY_SECONDS = 30;
/** Time until the next read while the database engine rotates a password. */
const ROTATING_SECONDS = 5;

/** Returns the milliseconds until a secret without a lease is read again. */
export function rereadMs(
  { rotationSeconds: rotation, rereadSeconds }: ReportedTimes,
  schedule: RefreshSchedule,
): number {
  // Adds one second, because Vault rotates in whole seconds. At 0 it rotates within seconds.
  if (rotation !== undefined) return (rotation > 0 ? rotation + 1 : ROTATING_SECONDS) * 1000;
  return jittered(rereadSeconds ?? schedule.refresh.intervalSeconds, schedule);
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

/** Returns true for a password that the database engine is about to rotate, or should have rotated by now. */
export function isRotationDue({ rotationSeconds: rotation }: ReportedTimes, ageMs: number): boolean {
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
  scheduler: Scheduler,
): Promise<boolean> {
  for (let reads = 1; ; reads += 1) {
    if (await read()) return true;
    if (reads === MAX_ROTATION_READS || !isDue()) return false;
    await new Promise<void>((resolve) => scheduler.after(ROTATION_PAUSE_MS, resolve));
  }
}
