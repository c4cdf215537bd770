/** Module or submodule in the YANG library of a server. */
export interface ServerModule {
  readonly name: string;
  readonly revision: string | undefined;
  /** URLs from which the server offers the text. */
  readonly urls: readonly string[];
}

/** Modules in the YANG library of a server. Without a revision, `find` returns the newest. */
export interface ServerModules {
  /** Number of entries. */
  readonly count: number;
  find(name: string, revision: string | undefined): ServerModule | undefined;
}

/** Maximum number of entries that are read. Servers have a few thousand modules at most. */
const MAX_ENTRIES = 50_000;

/**
 * Parses the JSON of `ietf-yang-library:yang-library` (RFC 8525) or, from older servers,
 * `ietf-yang-library:modules-state` (RFC 7895), or the schemas of `ietf-netconf-monitoring:netconf-state` (RFC 6022). Skips
 * entries without a module name.
 */
export function serverModules(document: unknown): ServerModules {
  const byName = new Map<string, ServerModule[]>();
  const modules = modulesIn(document).slice(0, MAX_ENTRIES);
  for (const module of modules) {
    const known = byName.get(module.name);
    if (known) known.push(module);
    else byName.set(module.name, [module]);
  }
  return {
    count: modules.length,
    find: (name, revision) =>
      (byName.get(name) ?? [])
        .filter((module) => revision === undefined || module.revision === revision)
        .reduce<ServerModule | undefined>((a, b) => (a && isPreferred(a, b) ? a : b), undefined),
  };
}

/**
 * Returns true if module `a` is preferred to module `b`: it is newer, or has the same revision and a URL
 * unless `b` has no URL either.
 */
function isPreferred(a: ServerModule, b: ServerModule): boolean {
  const [revision, otherRevision] = [a.revision ?? '', b.revision ?? ''];
  return revision === otherRevision ? a.urls.length > 0 || b.urls.length === 0 : revision > otherRevision;
}

function modulesIn(document: unknown): readonly ServerModule[] {
  const library = memberOf(document, 'ietf-yang-library:yang-library');
  const sets = listIn(library, 'module-set');
  const state = memberOf(document, 'ietf-yang-library:modules-state');
  const lists = [...sets.flatMap((set) => [listIn(set, 'module'), listIn(set, 'import-only-module')])];
  const schemas = listIn(memberOf(document, 'ietf-netconf-monitoring:schemas'), 'schema');
  return [
    ...[...lists.flat(), ...listIn(state, 'module')].flatMap((entry) =>
      [entry, ...listIn(entry, 'submodule')].flatMap(moduleOf),
    ),
    ...schemas.flatMap(schemaOf),
  ];
}

/** Returns the module of an entry of RFC 6022; its text is only available through the operation get-schema. */
function schemaOf(entry: unknown): readonly ServerModule[] {
  const [name, version] = [memberOf(entry, 'identifier'), memberOf(entry, 'version')];
  if (typeof name !== 'string') return [];
  return [{ name, revision: typeof version === 'string' && version !== '' ? version : undefined, urls: [] }];
}

function moduleOf(entry: unknown): readonly ServerModule[] {
  const name = memberOf(entry, 'name');
  if (typeof name !== 'string') return [];
  const revision = memberOf(entry, 'revision');
  // RFC 7895 represents a missing revision by an empty string, and has a single URL instead of a list.
  const isDated = typeof revision === 'string' && revision !== '';
  const urls = [memberOf(entry, 'schema'), ...listIn(entry, 'location')];
  return [
    {
      name: isDated ? withoutRevision(name, revision) : name,
      revision: isDated ? revision : undefined,
      urls: urls.filter((url): url is string => typeof url === 'string'),
    },
  ];
}

/** Returns the name of a module. OpenDaylight lists `name_revision`, unlike RFC 8525. */
function withoutRevision(name: string, revision: string): string {
  return name.endsWith(`_${revision}`) ? name.slice(0, -revision.length - 1) : name;
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
