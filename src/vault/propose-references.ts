import { pointerTokens } from '../core/pointer.js';
import { formatReference, type Reference } from './reference.js';

/** Position of a value that should move to Vault. */
export interface InlineSecret {
  /** Adapter that contains the value; null for the rest of the main file. */
  readonly adapter: string | null;
  /** Pointer relative to the adapter or to the main file. */
  readonly pointer: string;
}

/** Proposed location of a value in Vault. */
export interface ProposedPath {
  /** Path below the configured mount. */
  readonly path: string;
  readonly field: string;
  /** Canonical text of the reference to the value. */
  readonly text: string;
}

/**
 * Proposes a location for every value, in the given order: `adapters/<id>#<leaf>`, or
 * `gatehouse/<parents>#<leaf>` for the main file. No two values share a location, and no location is already
 * in use (`taken`, as `<path>#<field>`).
 */
export function proposeReferences(
  migrants: readonly InlineSecret[],
  taken: ReadonlySet<string>,
): readonly ProposedPath[] {
  const used = new Set(taken);
  return migrants.map((migrant) => {
    const { path, field } = firstFree(migrant, used);
    used.add(`${path}#${field}`);
    return { path, field, text: formatReference(referenceTo(path, field)) };
  });
}

/**
 * Returns the targets of references within the configured mount, as `<path>#<field>`, or as `<path>#` without
 * a field.
 */
export function proposedPathsFor(references: readonly Reference[], mount: string): ReadonlySet<string> {
  return new Set(
    references.flatMap(({ absolute, segments, field }) => {
      const whole = segments.join('/');
      if (!absolute) return [`${whole}#${field ?? ''}`];
      return whole.startsWith(`${mount}/`) ? [`${whole.slice(mount.length + 1)}#${field ?? ''}`] : [];
    }),
  );
}

function firstFree(
  { adapter, pointer }: InlineSecret,
  used: ReadonlySet<string>,
): Pick<ProposedPath, 'path' | 'field'> {
  const names = pointerTokens(pointer).map(plainName);
  const parents = names.slice(0, -1);
  const path = [...(adapter === null ? ['gatehouse', ...parents] : ['adapters', withoutDots(adapter)])].join(
    '/',
  );
  const fields = leafNames(names);
  const numbered = Array.from({ length: used.size + 1 }, (_, at) => `${fields[0] ?? 'value'}-${at + 2}`);
  const field = [...fields, ...numbered].find((name) => !used.has(`${path}#${name}`));
  return { path, field: field ?? 'value' };
}

/**
 * Returns candidates for a field name: the last name, then the last name with more and more parents before
 * it. A bare index is not a name.
 */
function leafNames(names: readonly string[]): readonly string[] {
  const shown = names.map((_, at) => names.slice(names.length - 1 - at).join('-'));
  const named = shown.filter((name) => !/^\d+$/.test(name));
  return named.length > 0 ? named : ['value'];
}

/** Returns a name that needs no quoting in a shell, in a reference or in Vault. */
function plainName(token: string): string {
  return withoutDots(token.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '')) || 'value';
}

/** Removes trailing dots, because Vault serves no path that ends in a dot. */
function withoutDots(name: string): string {
  return name.replace(/\.+$/, '');
}

function referenceTo(path: string, field: string): Reference {
  return { absolute: false, segments: path.split('/'), version: null, encoding: 'utf8', field };
}
