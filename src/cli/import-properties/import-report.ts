import { tellsSecret } from '../../config/profile-secrets.js';
import { platformMark } from '../../vault/platform-watermark.js';
import { type ProposedPath, type InlineSecret, proposeReferences } from '../../vault/propose-references.js';
import { formatReference, isEncrypted, parseReference } from '../../vault/reference.js';
import { leavesOf, type SourceLocation } from './source-location.js';

/** Why something has no counterpart, and what to do instead. Never holds a value. */
export interface Reason {
  readonly why: string;
  readonly instead: string;
}

/** A secret that is to be put into Vault. */
export interface PropertyMove {
  readonly pointer: string;
  readonly kind: string;
  readonly home: ProposedPath;
  /** What to mind when it is stored. */
  readonly hint?: string;
}

/** What was left out for one reason. */
export interface SkippedEntry extends Reason {
  /** Where the reason holds. */
  readonly pointer: string;
  readonly leaves: readonly { readonly pointer: string; readonly isSecret: boolean }[];
}

const UNKNOWN: Reason = {
  why: 'This is not known here.',
  instead: 'See whether something relies on it.',
};

/** Where the platform's references lead: `endpoint` of its Vault, below the mount. */
export type Prefix = readonly string[];

/**
 * Keeps account of every value that is imported: what became something, what moves to Vault, and what was left out, and
 * why. What nobody accounts for was left out.
 */
export class ImportReport {
  /** Things that only a person can do. */
  readonly tasks: string[] = [];
  readonly moves: PropertyMove[] = [];
  /** True once the result has a reference. */
  needsVault = false;
  readonly #used = new Set<string>();
  readonly #reasons = new Map<string, Reason>();
  readonly #taken: Set<string>;
  readonly #prefix: Prefix;

  constructor(taken: ReadonlySet<string>, prefix: Prefix) {
    this.#taken = new Set(taken);
    this.#prefix = prefix;
  }

  /** The value at the place has become something; one with members is none. */
  use({ pointer, value }: SourceLocation): void {
    if (typeof value !== 'object') this.#used.add(pointer);
  }

  /** The same of everything below the place. */
  useAll({ pointer }: SourceLocation): void {
    this.#used.add(pointer);
  }

  /** What stands there and is not used is left out for this reason. */
  leave({ pointer }: SourceLocation, reason: Reason): void {
    this.#reasons.set(pointer, reason);
  }

  /** The reason of what it stands in holds for it again. */
  drop({ pointer }: SourceLocation): void {
    this.#reasons.delete(pointer);
  }

  /** The value when it is a text of this form that does not look like a secret, and then it is used. */
  word(place: SourceLocation, form: RegExp): string | undefined {
    if (typeof place.value !== 'string' || !form.test(place.value) || looksSecret(place.value))
      return undefined;
    this.use(place);
    return place.value;
  }

  /** The value when it is a whole number within bounds, and then it is used. */
  whole(place: SourceLocation, [least, most]: readonly [number, number]): number | undefined {
    const { value } = place;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      return undefined;
    this.use(place);
    return value;
  }

  /** True for `true`; what is true or false is used. */
  flag(place: SourceLocation): boolean {
    if (typeof place.value === 'boolean') this.use(place);
    return place.value === true;
  }

  /** A text as a configuration writes it: a reference where it is one or must become one, else so that it means itself. */
  text(place: SourceLocation, migrant: InlineSecret): string | undefined {
    const { value, pointer } = place;
    if (typeof value !== 'string' || value === '') return undefined;
    if (kindOf(value) !== undefined || tellsSecret(pointer, value)) return this.secret(place, migrant);
    this.use(place);
    return literal(value);
  }

  /** The reference to a secret: the one that stands there already, or one to a home of its own. */
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

  /** Everything below a place that became nothing, by reason. */
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

/** An absolute path that may be taken over as it stands. */
export const FILE = /^\/[\w./@+ -]{1,512}$/;

/** True for a text that is a secret wherever it stands. */
export function looksSecret(text: string): boolean {
  return kindOf(text) !== undefined || tellsSecret('', text);
}

/** What a text is that cannot stay as it is; undefined for one that means itself. */
function kindOf(text: string): string | undefined {
  if (isEncrypted(text)) return '$ENC';
  const mark = platformMark(text);
  if (mark !== undefined) return mark;
  const { kind } = parseReference(text);
  if (kind === 'reference') return 'reference';
  return kind === 'fault' ? 'faulty reference' : undefined;
}

/** A text so that it means itself: neither a reference nor a variable of the environment. */
function literal(text: string): string {
  const parsed = parseReference(text);
  const isPlain = parsed.kind === 'literal' && parsed.text === text;
  return (isPlain ? text : `$${text}`).replaceAll('${', () => '$${');
}

/** A pointer and those of what it stands in, the nearest first. */
function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
