import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Fault } from '../../core/fault.js';
import { type Redactor, Secret } from '../../core/secret.js';
import type { LocatedReference } from '../../secrets/find-references.js';
import type { ConfigSection } from './configuration.js';
import type { ResolvedSection, WithSecrets } from './resolve.js';

/** What a part of a snapshot was built from. A later plan determines by it whether the part is unchanged. */
export interface Origin {
  /** Fingerprint of the settings, their secrets and the files that they name. */
  readonly fingerprint: string;
  readonly references: readonly LocatedReference[];
  /** Paths of the files whose content is part of the fingerprint. */
  readonly files: readonly string[];
  /** Those of the files that another one refers to, as the build found them; absent: none. */
  readonly referenced?: readonly string[];
  /** Fingerprint of the values from stores of secrets, and their versions by pointer; absent for the main file. */
  readonly secrets?: {
    readonly fingerprint: string;
    readonly versions: ResolvedSection['versions'];
  };
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

/** A part that is held for the next snapshot, or the faults that refuse the whole configuration. */
export type BuiltPart<T> =
  | {
      readonly part: Handle<T>;
      /** Why the part of the previous snapshot is kept although it is outdated; absent if it is up to date. */
      readonly outdated?: string;
    }
  | { readonly faults: readonly Fault[] };

/** Holds a part of the previous snapshot once more. */
export function keepPart<T>(part: Handle<T>, outdated?: string): BuiltPart<T> {
  return { part: part.hold(), ...(outdated !== undefined && { outdated }) };
}

/** Returns the faults as one line. */
export function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
}

/** A value that was built from a section with its secrets. */
interface NewPart<T> {
  readonly value: T;
  readonly config: WithSecrets<ConfigSection>;
  readonly origin: Origin;
  readonly close: (value: T) => Promise<void>;
}

/** Creates the handle of a new part. The secrets of the part are masked while it is in use. */
export function createHandle<T>({ value, config, origin, close }: NewPart<T>, redactor: Redactor): Handle<T> {
  const unmask = redactor.add(config.resolved.fromVault);
  return new Handle(value, origin, async () => {
    unmask();
    await close(value);
  });
}

/** Returns the files of a section that are used, as their pointers tell. */
export function usedFiles(
  { files }: ResolvedSection,
  isUsed: (pointer: string) => boolean,
): readonly string[] {
  return [...files].filter(([pointer]) => isUsed(pointer)).map(([, file]) => file);
}

// Random for each process, so that a fingerprint reveals nothing about its secrets.
const FINGERPRINT_KEY = randomBytes(32);

/** Returns the fingerprint (HMAC-SHA256) of values with their secrets, of the failures of their section, and of files. */
export async function fingerprintOf(
  { failures }: ResolvedSection,
  values: readonly unknown[],
  files: readonly string[],
): Promise<string> {
  const failed = failures.map(({ code, pointer }) => [code, pointer]);
  const contents = await Promise.all(files.map(digestOf));
  return createHmac('sha256', FINGERPRINT_KEY)
    .update(JSON.stringify([failed, values, contents], revealSecrets))
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
