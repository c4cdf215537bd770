import { isDeepStrictEqual } from 'node:util';
import { absolutePaths } from '../../config/check-written.js';
import { valueAt, withValues } from '../../core/pointer.js';
import type { Violation } from '../../core/schema.js';
import { Secret } from '../../core/secret.js';
import type { LocatedReference } from '../../vault/find-references.js';
import type { Freshness, Resolution, SecretSource } from '../../vault/open-secrets.js';
import type { ConfigSection } from './config-section.js';
import type { LocatedFault } from '../../core/fault.js';

/** A piece with its references replaced, or what stands in the way of that. */
export interface ResolvedSection {
  /** Secret positions hold a `Secret`. */
  readonly value: unknown;
  readonly failures: readonly LocatedFault[];
  /** What came from Vault, as text, for the redactor. */
  readonly fromVault: readonly string[];
  /** The files that the value names, by pointer. */
  readonly files: ReadonlyMap<string, string>;
}

/** The pieces with their secrets. */
export type Resolved = (section: ConfigSection) => ResolvedSection;

/** Resolves the references of several pieces with one look at the source, so that each path is read once. */
export async function resolveSections(
  sections: readonly ConfigSection[],
  source: Pick<SecretSource, 'resolve'>,
  freshness: Freshness = 'read',
): Promise<Resolved> {
  const named = namedReferences(sections);
  const resolutions =
    named.length === 0 ? new Map<string, Resolution>() : await source.resolve(named, freshness);
  return (section) => resolveOnce(section, (pointer) => resolutions.get(section.name + pointer));
}

interface Known {
  readonly from: readonly (Resolution | undefined)[];
  readonly resolved: ResolvedSection;
}

/** By what is written: one and the same thing where nobody has touched it. */
const known = new WeakMap<ConfigSection['written'], Known>();

/** As before where what is written and its secrets are as before, so that what is made of it is known to be the same. */
function resolveOnce(
  section: ConfigSection,
  resolutionOf: (pointer: string) => Resolution | undefined,
): ResolvedSection {
  const before = known.get(section.written);
  const from = section.references.map(({ pointer }) => resolutionOf(pointer));
  if (before && isDeepStrictEqual(before.from, from)) return before.resolved;
  const resolved = resolvePiece(section, resolutionOf);
  known.set(section.written, { from, resolved });
  return resolved;
}

/** The references of several pieces, told apart by the names of the pieces before their pointers. */
function namedReferences(sections: readonly ConfigSection[]): readonly LocatedReference[] {
  return sections.flatMap(({ name, references }) =>
    references.map(({ pointer, reference }) => ({ pointer: name + pointer, reference })),
  );
}

// Fail closed: the text of a reference must never be taken for its value.
const UNANSWERED = {
  code: 'VAULT_UNAVAILABLE',
  message: 'the reference was not resolved',
  fix: 'Report this: the secret source gave no answer.',
};

/** Puts resolved values into a piece and checks the result; a value that was resolved is never scanned again. */
function resolvePiece(
  section: ConfigSection,
  resolutionOf: (pointer: string) => Resolution | undefined,
): ResolvedSection {
  const { written, literals } = section;
  const values = new Map<string, unknown>(literals);
  const failures: LocatedFault[] = [];
  const fromVault: string[] = [];
  for (const { pointer } of section.references) {
    const resolution = resolutionOf(pointer) ?? UNANSWERED;
    if ('value' in resolution) {
      values.set(pointer, resolution.value);
      fromVault.push(String(resolution.value));
    } else failures.push({ pointer, ...resolution });
  }
  if (failures.length > 0) return { value: undefined, failures, fromVault, files: new Map() };
  const plain = withValues(written.value, values);
  const { violations, secrets, paths } = section.validate(plain);
  const isContent = (pointer: string): boolean =>
    section.references.some((reference) => reference.pointer === pointer) && isPem(valueAt(plain, pointer));
  const files = paths.filter((pointer) => !isContent(pointer));
  const whole = absolutePaths(plain, files, written.document.file);
  return {
    value: seal(whole, [...secrets, ...paths.filter(isContent)]),
    failures: violations.map(asFailure),
    fromVault,
    files: new Map(files.map((pointer) => [pointer, String(valueAt(whole, pointer))])),
  };
}

/** Where a file is named, Vault may give what would stand in it. */
function isPem(value: unknown): boolean {
  return typeof value === 'string' && value.includes('-----BEGIN ');
}

function asFailure({ pointer, keyword, message }: Violation): LocatedFault {
  return {
    pointer,
    code: 'schema',
    message: `${message} (${keyword}, after its secrets were resolved)`,
    fix: 'Correct the value, or the secret that the reference names.',
  };
}

/** Boxes the values at the positions that the schema marks as secret. */
function seal(value: unknown, secrets: readonly string[]): unknown {
  const boxes = secrets.map((pointer) => [pointer, new Secret(String(valueAt(value, pointer)))] as const);
  return withValues(value, new Map(boxes));
}
