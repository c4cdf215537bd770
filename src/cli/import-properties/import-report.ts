import { tellsSecret } from '../../config/profile-secrets.js';
import { formatReference, isEncrypted, parseReference, platformMark } from '../../vault/reference.js';
import { type ProposedPath, type InlineSecret, proposeReferences } from '../../vault/propose-references.js';
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

const UNKNOWN: Reason = {
  why: 'This is not known here.',
  instead: 'See whether something relies on it.',
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
  leave({ pointer }: SourceLocation, reason: Reason): void {
    this.#reasons.set(pointer, reason);
  }

  /** Removes the reason of a pointer, so that the reason of its nearest ancestor applies again. */
  drop({ pointer }: SourceLocation): void {
    this.#reasons.delete(pointer);
  }

  /** Returns a string and marks it as used, if it matches the pattern and does not look like a secret. */
  word(place: SourceLocation, form: RegExp): string | undefined {
    if (typeof place.value !== 'string' || !form.test(place.value) || looksSecret(place.value))
      return undefined;
    this.use(place);
    return place.value;
  }

  /** Returns a number and marks it as used, if it is an integer within the bounds. */
  whole(place: SourceLocation, [least, most]: readonly [number, number]): number | undefined {
    const { value } = place;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      return undefined;
    this.use(place);
    return value;
  }

  /** Returns true if the value is `true`. Marks a boolean as used. */
  flag(place: SourceLocation): boolean {
    if (typeof place.value === 'boolean') this.use(place);
    return place.value === true;
  }

  /**
   * Returns a string as a configuration writes it: a reference for a reference or a secret, otherwise an
   * escaped literal.
   */
  text(place: SourceLocation, migrant: InlineSecret): string | undefined {
    const { value, pointer } = place;
    if (typeof value !== 'string' || value === '') return undefined;
    if (kindOf(value) !== undefined || tellsSecret(pointer, value)) return this.secret(place, migrant);
    this.use(place);
    return literal(value);
  }

  /** Returns the reference to a secret: the existing reference, or a new reference to its proposed path. */
  secret(place: SourceLocation, migrant: InlineSecret, hint?: string): string | undefined {
    const { value, pointer } = place;
    if (typeof value !== 'string' || value === '') return undefined;
    this.use(place);
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
    const kind = kindOf(value) ?? 'plaintext';
    this.moves.push({ pointer, kind, home, ...(hint !== undefined && { hint }) });
    return home.text;
  }

  /** Returns the values below a location that were not used, by reason. */
  leftOut(root: SourceLocation): readonly SkippedEntry[] {
    const groups = new Map<string, { pointer: string; isSecret: boolean }[]>();
    for (const { pointer, value } of leavesOf(root)) {
      const ways = prefixesOf(pointer);
      if (ways.some((one) => this.#used.has(one))) continue;
      const reason = ways.find((one) => this.#reasons.has(one)) ?? root.pointer;
      const isSecret =
        typeof value === 'string' && (kindOf(value) !== undefined || tellsSecret(pointer, value));
      groups.set(reason, [...(groups.get(reason) ?? []), { pointer, isSecret }]);
    }
    return [...groups].map(([pointer, leaves]) => ({
      ...(this.#reasons.get(pointer) ?? UNKNOWN),
      pointer,
      leaves,
    }));
  }
}

/** Absolute path that may be imported unchanged. */
export const FILE = /^\/[\w./@+ -]{1,512}$/;

/** Returns true for a text that is a secret regardless of its place. */
export function looksSecret(text: string): boolean {
  return kindOf(text) !== undefined || tellsSecret('', text);
}

/** Returns why a text cannot be kept unchanged; undefined for a plain literal. */
function kindOf(text: string): string | undefined {
  if (isEncrypted(text)) return '$ENC';
  const mark = platformMark(text);
  if (mark !== undefined) return mark;
  const { kind } = parseReference(text);
  if (kind === 'reference') return 'reference';
  return kind === 'fault' ? 'faulty reference' : undefined;
}

/** Escapes a text, so that it is neither a reference nor an environment variable. */
function literal(text: string): string {
  const parsed = parseReference(text);
  const isPlain = parsed.kind === 'literal' && parsed.text === text;
  return (isPlain ? text : `$${text}`).replaceAll('${', () => '$${');
}

/** Returns a pointer and the pointers of its ancestors, nearest first. */
function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
