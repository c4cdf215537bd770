import { indicatesSecret } from '../../config/profile-secrets.js';
import { type InlineSecret, type ProposedPath, proposeReferences } from '../../secrets/propose-references.js';
import { formatReference, isEncrypted, parseReference, platformMark } from '../../secrets/reference.js';
import { leavesOf, type SourceLocation } from './source-location.js';

/** Why a value has no counterpart, and what to do instead. Never contains a value. */
export interface Reason {
  readonly why: string;
  readonly instead: string;
}

/** Secret to store in Vault. */
export interface PropertyMove {
  readonly pointer: string;
  readonly kind: string;
  readonly home: ProposedPath;
  /** Advice for storing the secret. */
  readonly hint?: string;
}

/** Values that were left out for one reason. */
export interface SkippedEntry extends Reason {
  /** Pointer that the reason applies to. */
  readonly pointer: string;
  readonly leaves: readonly { readonly pointer: string; readonly isSecret: boolean }[];
}

const UNKNOWN_REASON: Reason = {
  why: 'gatehouse has no such setting.',
  instead: 'Check whether a client depends on it.',
};

/** Prefix of the platform's references: `endpoint` of its Vault, below the mount. */
export type Prefix = readonly string[];

/**
 * Tracks every imported value: what was used, what moves to Vault, and what was left out for which reason.
 * Values that are not recorded count as left out.
 */
export class ImportReport {
  /** Tasks that only a person can do. */
  readonly tasks: string[] = [];
  readonly moves: PropertyMove[] = [];
  /** True once the result contains a reference. */
  needsVault = false;
  readonly #used = new Set<string>();
  readonly #reasons = new Map<string, Reason>();
  readonly #taken: Set<string>;
  readonly #prefix: Prefix;

  constructor(taken: ReadonlySet<string>, prefix: Prefix) {
    this.#taken = new Set(taken);
    this.#prefix = prefix;
  }

  /** Marks a scalar value as used. Ignores objects and arrays. */
  use({ pointer, value }: SourceLocation): void {
    if (typeof value !== 'object') this.#used.add(pointer);
  }

  /** Marks a value and everything below it as used. */
  useAll({ pointer }: SourceLocation): void {
    this.#used.add(pointer);
  }

  /** Sets the reason for leaving out the unused values at and below a pointer. */
  skip({ pointer }: SourceLocation, reason: Reason): void {
    this.#reasons.set(pointer, reason);
  }

  /** Removes the reason of a pointer, so that the reason of its nearest ancestor applies again. */
  dropReason({ pointer }: SourceLocation): void {
    this.#reasons.delete(pointer);
  }

  /** Returns a string and marks it as used, if it matches the pattern and does not look like a secret. */
  string(location: SourceLocation, pattern: RegExp): string | undefined {
    if (typeof location.value !== 'string' || !pattern.test(location.value) || looksSecret(location.value))
      return undefined;
    this.use(location);
    return location.value;
  }

  /** Returns a number and marks it as used, if it is an integer within the bounds. */
  integer(location: SourceLocation, [min, max]: readonly [number, number]): number | undefined {
    const { value } = location;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) return undefined;
    this.use(location);
    return value;
  }

  /** Returns true if the value is `true`. Marks a boolean as used. */
  flag(location: SourceLocation): boolean {
    if (typeof location.value === 'boolean') this.use(location);
    return location.value === true;
  }

  /**
   * Returns a string as a configuration writes it: a reference for a reference or a secret, otherwise an
   * escaped literal.
   */
  text(location: SourceLocation, migrant: InlineSecret): string | undefined {
    const { value, pointer } = location;
    if (typeof value !== 'string' || value === '') return undefined;
    if (secretKindOf(value) !== undefined || indicatesSecret(pointer, value))
      return this.secret(location, migrant);
    this.use(location);
    return escapeLiteral(value);
  }

  /** Returns the reference to a secret: the existing reference, or a new reference to its proposed path. */
  secret(location: SourceLocation, migrant: InlineSecret, hint?: string): string | undefined {
    const { value, pointer } = location;
    if (typeof value !== 'string' || value === '') return undefined;
    this.use(location);
    this.needsVault = true;
    const parsed = parseReference(value);
    if (parsed.kind === 'reference') {
      const { absolute, segments } = parsed.reference;
      return formatReference({
        ...parsed.reference,
        segments: absolute ? segments : [...this.#prefix, ...segments],
      });
    }
    const [home] = proposeReferences([migrant], this.#taken) as [ProposedPath];
    this.#taken.add(`${home.path}#${home.field}`);
    const kind = secretKindOf(value) ?? 'plaintext';
    this.moves.push({ pointer, kind, home, ...(hint !== undefined && { hint }) });
    return home.text;
  }

  /** Returns the values below a location that were not used, by reason. */
  skipped(root: SourceLocation): readonly SkippedEntry[] {
    const groups = new Map<string, { pointer: string; isSecret: boolean }[]>();
    for (const { pointer, value } of leavesOf(root)) {
      if (nearestIn(this.#used, pointer) !== undefined) continue;
      const reason = nearestIn(this.#reasons, pointer) ?? root.pointer;
      const isSecret =
        typeof value === 'string' && (secretKindOf(value) !== undefined || indicatesSecret(pointer, value));
      const group = groups.get(reason);
      if (group) group.push({ pointer, isSecret });
      else groups.set(reason, [{ pointer, isSecret }]);
    }
    return [...groups].map(([pointer, leaves]) => ({
      ...(this.#reasons.get(pointer) ?? UNKNOWN_REASON),
      pointer,
      leaves,
    }));
  }
}

/** Absolute path that may be imported unchanged. */
export const FILE_PATH = /^\/[\w./@+ -]{1,512}$/;

export function looksSecret(text: string): boolean {
  return secretKindOf(text) !== undefined || indicatesSecret('', text);
}

/** Returns why a text cannot be imported unchanged; undefined for a plain literal. */
function secretKindOf(text: string): string | undefined {
  if (isEncrypted(text)) return '$ENC';
  const mark = platformMark(text);
  if (mark !== undefined) return mark;
  const { kind } = parseReference(text);
  if (kind === 'reference') return 'reference';
  return kind === 'fault' ? 'faulty reference' : undefined;
}

/** Escapes a text, so that it is neither a reference nor an environment variable. */
function escapeLiteral(text: string): string {
  const parsed = parseReference(text);
  const isPlain = parsed.kind === 'literal' && parsed.text === text;
  return (isPlain ? text : `$${text}`).replaceAll('${', () => '$${');
}

/** Returns a pointer or its nearest ancestor, whichever is known first. */
function nearestIn(known: { has(pointer: string): boolean }, pointer: string): string | undefined {
  for (let at = pointer; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (known.has(at)) return at;
    if (at === '') return undefined;
  }
}
