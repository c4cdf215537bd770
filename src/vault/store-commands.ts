import type { ProposedPath } from './propose-references.js';

export interface StoreOptions {
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
export function storeCommands(homes: readonly ProposedPath[], options: StoreOptions): readonly string[] {
  const fields = new Map<string, string[]>();
  for (const { path, field } of homes) fields.set(path, [...(fields.get(path) ?? []), field]);
  return [...fields].flatMap(([path, names]) => commandsFor(path, names, options));
}

function commandsFor(path: string, names: readonly string[], options: StoreOptions): readonly string[] {
  const held = [...options.taken]
    .filter((home) => home.startsWith(`${path}#`))
    .map((home) => home.slice(path.length + 1) || '...');
  const place = `-mount=${quote(options.mount)} ${quote(path)}`;
  if (options.kvVersion !== 1)
    return names.map((name, at) => {
      const verb = at === 0 && held.length === 0 ? 'put' : 'patch';
      return `vault kv ${verb} ${place} ${quote(name)}=-`;
    });
  const all = [...held, ...names];
  if (all.length === 1) return [`vault kv put ${place} ${quote(all[0] ?? '')}=-`];
  const members = all.map((name) => `"${name}": ...`).join(', ');
  return [`vault kv put ${place} -   # reads {${members}}: KV version 1 keeps no field that is not named`];
}

/** Quotes a text as one word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./@%+:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
