/** Module or submodule that a server lists in its YANG library. */
export interface ServerModule {
  readonly name: string;
  readonly revision: string | undefined;
  /** URLs of the text, according to the server. */
  readonly urls: readonly string[];
}

/** Modules that a server lists. Without a revision, the newest is returned. */
export interface ServerModules {
  find(name: string, revision: string | undefined): ServerModule | undefined;
}

/** Maximum number of entries read from a list. Servers have a few thousand modules at most. */
const MOST = 50_000;

/**
 * Parses the JSON of `ietf-yang-library:yang-library` (RFC 8525) or, from older servers,
 * `ietf-yang-library:modules-state` (RFC 7895). Skips entries that do not look like a module.
 */
export function serverModules(document: unknown): ServerModules {
  const byName = new Map<string, ServerModule[]>();
  for (const module of modulesIn(document).slice(0, MOST)) {
    const known = byName.get(module.name);
    if (known) known.push(module);
    else byName.set(module.name, [module]);
  }
  return {
    find: (name, revision) =>
      (byName.get(name) ?? [])
        .filter((module) => revision === undefined || module.revision === revision)
        .reduce<ServerModule | undefined>((a, b) => (a && isAtLeast(a, b) ? a : b), undefined),
  };
}

/**
 * Returns true if a module is newer, or has the same revision and no fewer sources: it has a URL, or the
 * other has no URL.
 */
function isAtLeast(a: ServerModule, b: ServerModule): boolean {
  const [mine, other] = [a.revision ?? '', b.revision ?? ''];
  return mine === other ? a.urls.length > 0 || b.urls.length === 0 : mine > other;
}

function modulesIn(document: unknown): readonly ServerModule[] {
  const library = memberOf(document, 'ietf-yang-library:yang-library');
  const sets = listIn(library, 'module-set');
  const state = memberOf(document, 'ietf-yang-library:modules-state');
  const lists = [...sets.flatMap((set) => [listIn(set, 'module'), listIn(set, 'import-only-module')])];
  return [...lists.flat(), ...listIn(state, 'module')].flatMap((entry) =>
    [entry, ...listIn(entry, 'submodule')].flatMap(moduleOf),
  );
}

function moduleOf(entry: unknown): readonly ServerModule[] {
  const name = memberOf(entry, 'name');
  if (typeof name !== 'string') return [];
  const revision = memberOf(entry, 'revision');
  // RFC 7895 uses an empty text for "none", and has a single URL instead of the list of RFC 8525.
  const isDated = typeof revision === 'string' && revision !== '';
  const urls = [memberOf(entry, 'schema'), ...listIn(entry, 'location')];
  return [
    {
      name,
      revision: isDated ? revision : undefined,
      urls: urls.filter((url): url is string => typeof url === 'string'),
    },
  ];
}

function listIn(value: unknown, member: string): readonly unknown[] {
  const list = memberOf(value, member);
  return Array.isArray(list) ? list : [];
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}
