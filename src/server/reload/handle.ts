import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Fault } from '../../core/fault.js';
import { type Redactor, Secret } from '../../core/secret.js';
import type { LocatedReference } from '../../secrets/find-references.js';
import type { ResolvedSection } from './resolve-sections.js';

/** The input of a part of a snapshot, from which a later build determines whether the part is unchanged. */
interface Origin {
  /** Fingerprint of the settings, their secrets and the files that they name. */
  readonly fingerprint: string;
  readonly references: readonly LocatedReference[];
  /** Paths of the files whose content is part of the fingerprint. */
  readonly files: readonly string[];
}

/** A counted reference to a part of a snapshot. Snapshots share an unchanged part, and the last release closes it. */
export class Handle<T> {
  readonly value: T;
  readonly origin: Origin;
  readonly #close: () => Promise<void>;
  #holders = 1;

  /** Creates a handle that its creator holds. */
  constructor(value: T, origin: Origin, close: () => Promise<void>) {
    this.value = value;
    this.origin = origin;
    this.#close = close;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  /** Releases one hold. Closes the value after the last one. */
  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#close();
  }
}

// Random for each process, so that a fingerprint reveals nothing about its secrets.
const FINGERPRINT_KEY = randomBytes(32);

/** Returns the fingerprint (HMAC-SHA256) of a value with its secrets, and of the contents of files. */
async function fingerprintOf(value: unknown, files: readonly string[]): Promise<string> {
  const contents = await Promise.all(files.map(digestOf));
  return createHmac('sha256', FINGERPRINT_KEY)
    .update(JSON.stringify([value, contents], revealSecrets))
    .digest('base64');
}

/** Replaces secrets with their values. `JSON.stringify` passes masked values, so the original is read from `this`. */
function revealSecrets(this: unknown, key: string, masked: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Secret ? { secret: original.reveal() } : masked;
}

/** Returns the digest of a file. An unreadable file is no error here; the part that needs it reports it. */
async function digestOf(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64');
  } catch {
    return 'unreadable';
  }
}

/** Input of a new handle. */
interface BuildPlan {
  readonly resolved: ResolvedSection;
  readonly fingerprint: string;
  /** Returns true for the pointers of files whose content is part of the fingerprint; absent: all. */
  readonly isUsed?: (pointer: string) => boolean;
  readonly references: readonly LocatedReference[];
  readonly redactor: Pick<Redactor, 'add'>;
}

/** Creates the handle of a new part. The secrets of the part are masked while it is in use. */
export function createHandle<T>(value: T, plan: BuildPlan, close: () => Promise<void>): Handle<T> {
  const { resolved, fingerprint, references, redactor } = plan;
  const files = usedFiles(resolved, plan.isUsed);
  const unmask = redactor.add(resolved.fromVault);
  return new Handle(value, { fingerprint, references, files }, async () => {
    unmask();
    await close();
  });
}

/** Returns the fingerprint of values, of the failures of their section, and of its files that are used. */
export function sectionFingerprint(
  resolved: ResolvedSection,
  values: readonly unknown[],
  isUsed?: (pointer: string) => boolean,
): Promise<string> {
  const failed = resolved.failures.map(({ code, pointer }) => [code, pointer]);
  const files = usedFiles(resolved, isUsed);
  return fingerprintOf([failed, ...values.map((value) => value ?? null)], files);
}

function usedFiles(
  { files }: ResolvedSection,
  isUsed: (pointer: string) => boolean = () => true,
): readonly string[] {
  return [...files].filter(([pointer]) => isUsed(pointer)).map(([, file]) => file);
}

/** Returns the faults as one line. */
export function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
}

/** A part that is held for the next snapshot, or the faults that refuse the whole configuration. */
export type BuildResult<T> =
  | {
      readonly part: Handle<T>;
      /** Why the part of the previous snapshot is reused although it is outdated; absent if it is up to date. */
      readonly outdated?: string;
    }
  | { readonly faults: readonly Fault[] };

/** Returns a part of the previous snapshot, held once more. */
export function reuseHandle<T>(part: Handle<T>, outdated?: string): BuildResult<T> {
  return { part: part.hold(), ...(outdated !== undefined && { outdated }) };
}
