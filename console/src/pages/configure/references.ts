import type { Secrets } from '../secrets/secret.js';

/** Text that names a secret in Vault or in a file: the own forms of gatehouse, or that of the platform. */
const REFERENCE = /^\$(?:VAULT_|FILE_|SECRET_.* \$KEY_)/;

/** A reference in settings. */
export interface WrittenReference {
  readonly reference: string;
  /** Names of the members that lead to it, separated by dots: `auth.password`. */
  readonly place: string;
}

/** Returns the references in settings, each once, in their order. `settings` is an object as JSON. */
export function referencesIn(settings: string): readonly WrittenReference[] {
  const found = new Map<string, WrittenReference>();
  const visit = (value: unknown, place: string): void => {
    if (typeof value === 'string') {
      if (REFERENCE.test(value) && !found.has(value)) found.set(value, { reference: value, place });
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        visit(member, place === '' ? name : `${place}.${name}`);
  };
  visit(JSON.parse(settings), '');
  return [...found.values()];
}

/** Returns references that a field may name, by the name of its member. */
export type OfferReferences = (member: string) => readonly string[];

/**
 * Creates a function that returns the references that an adapter may use: first its own secret, with the name of
 * the member as the field, then the references in use below `vault.adapterScope`.
 */
export function offeredReferences(
  { vault, references }: Pick<Secrets, 'vault' | 'references'>,
  adapter: string,
) {
  const name = adapter === '' ? 'name' : adapter;
  const pattern = vault?.adapterScope ?? '';
  const scope = encodedPath(pattern.replaceAll('{name}', name));
  const inScope = references
    .filter(({ usedBy }) => usedBy.every(({ kind }) => kind === 'adapter'))
    .map(({ reference }) => reference)
    .filter((reference) => isBelow(reference, scope, encodedPath(vault?.mount ?? '')));
  return (member: string): readonly string[] => {
    const own = pattern.includes('{name}') ? scope : `${scope || 'adapters'}/${encodeURIComponent(name)}`;
    return [...new Set([`$VAULT_${own}#${member}`, ...inScope])];
  };
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Returns true for a reference at or below a path of the mount; an empty path allows all. */
function isBelow(reference: string, scope: string, mount: string): boolean {
  if (scope === '') return true;
  return [`$VAULT_${scope}`, `$VAULT_/${mount}/${scope}`].some(
    (begin) => reference.startsWith(begin) && /^[/#?]|^$/.test(reference.slice(begin.length)),
  );
}
