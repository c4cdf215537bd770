import { pointerTokens } from '../core/pointer.js';
import { formatReference, type Reference } from './reference.js';

/** A value that is to move to Vault, by the place where it stands. */
export interface InlineSecret {
  /** Adapter that it belongs to; null for the rest of the main file. */
  readonly adapter: string | null;
  /** Pointer below the adapter, or below the main file. */
  readonly pointer: string;
}

/** Where a value is to stand in Vault. */
export interface ProposedPath {
  /** Below the configured mount. */
  readonly path: string;
  readonly field: string;
  /** The reference to it, canonical. */
  readonly text: string;
}

/**
 * A home for every value, in their order: `adapters/<id>#<leaf>`, in the main file `gatehouse/<parents>#<leaf>`.
 * No two share one, and none is already the home of another value (`taken`, as `<path>#<field>`).
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

/** Where references of the configured mount lead, as `<path>#<field>`; those without a field as `<path>#`. */
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

/** The last name, and with one parent after the other before it; an index alone is no name. */
function leafNames(names: readonly string[]): readonly string[] {
  const shown = names.map((_, at) => names.slice(names.length - 1 - at).join('-'));
  const named = shown.filter((name) => !/^\d+$/.test(name));
  return named.length > 0 ? named : ['value'];
}

/** A name that needs no quoting in a shell, in a reference and in Vault. */
function plainName(token: string): string {
  return withoutDots(token.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '')) || 'value';
}

/** Vault serves no path that ends in a dot. */
function withoutDots(name: string): string {
  return name.replace(/\.+$/, '');
}

function referenceTo(path: string, field: string): Reference {
  return { absolute: false, segments: path.split('/'), version: null, encoding: 'utf8', field };
}
