import { pointerTokens } from '../json/pointer.js';
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
  readonly text: string;
}

/**
 * Proposes a location for every value, in the given order: `adapters/<id>#<leaf>`, or
 * `gatehouse/<parents>#<leaf>` for the main file. No two values share a location, and no location is already
 * in use (`taken`, as `<path>#<field>`).
 */
export function proposeReferences(
  secrets: readonly InlineSecret[],
  taken: ReadonlySet<string>,
): readonly ProposedPath[] {
  const used = new Set(taken);
  return secrets.map((secret) => {
    const { path, field } = firstFree(secret, used);
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
      const path = segments.join('/');
      if (!absolute) return [`${path}#${field ?? ''}`];
      return path.startsWith(`${mount}/`) ? [`${path.slice(mount.length + 1)}#${field ?? ''}`] : [];
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
  const numbered = Array.from(
    { length: used.size + 1 },
    (_, index) => `${fields[0] ?? 'value'}-${index + 2}`,
  );
  const field = [...fields, ...numbered].find((name) => !used.has(`${path}#${name}`));
  return { path, field: field ?? 'value' };
}

/**
 * Returns candidates for a field name: the last name, then the last name with more and more parents before
 * it. A bare index is not a name.
 */
function leafNames(names: readonly string[]): readonly string[] {
  const candidates = names.map((_, index) => names.slice(names.length - 1 - index).join('-'));
  const nonNumeric = candidates.filter((name) => !/^\d+$/.test(name));
  return nonNumeric.length > 0 ? nonNumeric : ['value'];
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

interface StoreCommandOptions {
  readonly mount: string;
  /** Version of the KV engine; every version except 1 has `vault kv patch`. */
  readonly kvVersion: unknown;
  /** Locations that already hold values, as `<path>#<field>`. The other fields of their secrets must stay. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Returns the commands that write values to their locations. No command contains a value; each reads it from
 * standard input. The first field of a new path is put, and every other field is patched in, because a put
 * drops the fields that it does not name.
 */
export function storeCommands(
  paths: readonly ProposedPath[],
  options: StoreCommandOptions,
): readonly string[] {
  const fieldsByPath = new Map<string, string[]>();
  for (const { path, field } of paths) fieldsByPath.set(path, [...(fieldsByPath.get(path) ?? []), field]);
  return [...fieldsByPath].flatMap(([path, names]) => commandsFor(path, names, options));
}

function commandsFor(
  path: string,
  fields: readonly string[],
  options: StoreCommandOptions,
): readonly string[] {
  const takenFields = [...options.taken]
    .filter((location) => location.startsWith(`${path}#`))
    .map((location) => location.slice(path.length + 1) || '...');
  const target = `-mount=${quote(options.mount)} ${quote(path)}`;
  if (options.kvVersion !== 1)
    return fields.map((name, at) => {
      const verb = at === 0 && takenFields.length === 0 ? 'put' : 'patch';
      return `vault kv ${verb} ${target} ${quote(name)}=-`;
    });
  const all = [...takenFields, ...fields];
  if (all.length === 1) return [`vault kv put ${target} ${quote(all[0] ?? '')}=-`];
  const members = all.map((name) => `"${name}": ...`).join(', ');
  return [`vault kv put ${target} -   # reads {${members}}: KV version 1 keeps no field that is not named`];
}

/** Quotes a text as one word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./@%+:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
