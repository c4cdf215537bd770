import type { Fault } from '../../core/fault.js';
import type { LocatedReference } from '../../vault/find-references.js';
import { Handle } from './handle.js';
import type { ResolvedSection } from './resolve-sections.js';
import type { SnapshotInput } from './snapshot-input.js';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Secret } from '../../core/secret.js';

// Of this process alone, so that a fingerprint says nothing to anybody who sees it.
const KEY = randomBytes(32);

/** Stands for a value with its secrets, and for what the files hold: equal inputs, equal fingerprints (HMAC-SHA256). */
export async function fingerprintOf(value: unknown, files: readonly string[]): Promise<string> {
  const contents = await Promise.all(files.map(digestOf));
  return createHmac('sha256', KEY)
    .update(JSON.stringify([value, contents], revealSecrets))
    .digest('base64');
}

/** `JSON.stringify` has masked the value by the time it is handed in; the holder still has the original. */
function revealSecrets(this: unknown, key: string, shown: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Secret ? { secret: original.reveal() } : shown;
}

/** A file that cannot be read is told of by whoever needs it. */
async function digestOf(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64');
  } catch {
    return 'unreadable';
  }
}

/** What a part is being made from. */
interface BuildPlan {
  readonly resolved: ResolvedSection;
  readonly fingerprint: string;
  readonly references: readonly LocatedReference[];
  readonly redactor: SnapshotInput['redactor'];
}

/** A part of what was built, whose secrets are masked for as long as it is in use. */
export function createHandle<T>(value: T, making: BuildPlan, close: () => Promise<void>): Handle<T> {
  const { resolved, fingerprint, references, redactor } = making;
  const unmask = redactor.add(resolved.fromVault);
  return new Handle(value, { fingerprint, references }, async () => {
    unmask();
    await close();
  });
}

/** Fingerprint of the values that a part is made from, of what failed, and of the files with these pointers. */
export function sectionFingerprint(
  { failures, files }: ResolvedSection,
  values: readonly unknown[],
  isUsed: (pointer: string) => boolean = () => true,
): Promise<string> {
  const failed = failures.map(({ code, pointer }) => [code, pointer]);
  const used = [...files].filter(([pointer]) => isUsed(pointer)).map(([, file]) => file);
  return fingerprintOf([failed, ...values.map((value) => value ?? null)], used);
}

/** Faults in a few words. */
export function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
}
