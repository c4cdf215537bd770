import { ADAPTER_ID_HINT, isAdapterId } from '../../core/adapter-names.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { formatReference, parsePath, parseReference, type Reference } from '../../secrets/reference.js';
import { failureOf } from '../../secrets/secret-error.js';
import type { FolderEntry } from '../../secrets/vault/secret-browser.js';
import { type MainSection, refusedSecret, scopeOf } from '../../server/state/record-restrictions.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Monitoring } from '../console/monitoring.js';
import type {
  VaultBrowse,
  VaultBrowseFault,
  VaultBrowseQuery,
  VaultField,
  VaultFolder,
} from './vault-browse-view.js';

interface BrowseInput {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly browser: SecretSource['browser'];
}

/** Maximum number of listed fields of a secret. */
const MAX_FIELDS = 500;

/**
 * Creates a function that lists the names at a path of Vault: those of the secrets and folders below it, and those of
 * the fields of the secret at it. The path must be at or below the place where the secrets of the named adapter are.
 */
export function createVaultBrowse({ current, browser }: BrowseInput): Monitoring['browseVault'] {
  return async (query) => {
    const allowed = allowedPath(query, current.current());
    if ('refused' in allowed) return allowed;
    const { segments, depth, main } = allowed;
    const [entries, secret] = await Promise.all([
      listEntries(browser, segments, query),
      listFields(browser, segments, { adapter: query.adapter, main }),
    ]);
    const parent = segments.length > depth ? encodedPath(segments.slice(0, -1)) : null;
    return { path: encodedPath(segments), parent, entries, secret };
  };
}

interface AllowedPath {
  readonly segments: readonly string[];
  /** Number of segments of the scope. */
  readonly depth: number;
  readonly main: MainSection;
}

type Refused = Extract<VaultBrowse, { readonly refused: string }>;

/** Returns the path to list. A caller must not see names outside of the scope of adapters registered through the API. */
function allowedPath(
  { adapter, path }: VaultBrowseQuery,
  { desired }: ActiveSnapshot,
): AllowedPath | Refused {
  const { main, adapters } = desired.files;
  // A "/" in the name would widen the scope to the secrets of another adapter.
  if (!isAdapterId(adapter)) return { refused: ADAPTER_ID_HINT, member: 'adapter' };
  if (adapters.some(({ id }) => id === adapter)) return ADAPTER_OF_FILE;
  const scope = scopeOf(adapter, main).path;
  const top = scope === '' ? [] : scope.split('/');
  if (path === undefined) return { segments: top, depth: top.length, main };
  const parsed = parsePath(path);
  if ('fault' in parsed) return { refused: parsed.fault, member: 'path' };
  const segments = parsed.value;
  if (top.every((name, at) => segments[at] === name)) return { segments, depth: top.length, main };
  return {
    refused: `is outside of "${scope}", where the setting vault.adapterScope has the secrets of this adapter`,
    member: 'path',
    fix: `Choose a path at or below "${scope}".`,
  };
}

const ADAPTER_OF_FILE: Refused = {
  refused: 'is an adapter of a file, whose secrets are not listed',
  member: 'adapter',
  fix: 'Write the reference into the file.',
};

async function listEntries(
  browser: BrowseInput['browser'],
  folder: readonly string[],
  { contains, skip, limit }: VaultBrowseQuery,
): Promise<VaultFolder['entries']> {
  try {
    const wanted = contains.toLowerCase();
    const found = (await browser.listFolder(folder)).filter(
      (entry) => isNameable(entry, folder) && entry.name.toLowerCase().includes(wanted),
    );
    const results = found
      .slice(skip, skip + limit)
      .map((entry) => ({ ...entry, path: encodedPath([...folder, entry.name]) }));
    return { results, total: found.length, fault: null };
  } catch (error) {
    return { results: [], total: 0, fault: faultOf(error) };
  }
}

/** Returns true for a name that a reference can have. */
function isNameable({ name }: FolderEntry, folder: readonly string[]): boolean {
  return 'value' in parsePath(encodedPath([...folder, name]));
}

async function listFields(
  browser: BrowseInput['browser'],
  segments: readonly string[],
  { adapter, main }: { readonly adapter: string; readonly main: MainSection },
): Promise<VaultFolder['secret']> {
  try {
    const names = await browser.listFields(segments);
    const fields = (names ?? []).flatMap((field): readonly VaultField[] => {
      const reference: Reference = { absolute: false, segments, version: null, encoding: 'utf8', field };
      const text = formatReference(reference);
      if (parseReference(text).kind !== 'reference') return [];
      return [
        { name: field, reference: text, refusal: refusedSecret(reference, adapter, main)?.message ?? null },
      ];
    });
    return {
      exists: names !== undefined,
      fields: fields.slice(0, MAX_FIELDS),
      total: fields.length,
      fault: null,
    };
  } catch (error) {
    return { exists: false, fields: [], total: 0, fault: faultOf(error) };
  }
}

/** Returns the reason of a failure. Throws an error that does not come from Vault, because it is a bug. */
function faultOf(error: unknown): VaultBrowseFault {
  const { message, fix } = failureOf(error);
  return { cause: message, fix };
}

/** Returns a path as it is written in a reference. */
function encodedPath(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}
