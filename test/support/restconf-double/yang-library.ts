import type { Json } from './interfaces.js';
import { notAllowed, notFound, type Reply } from './reply.js';

/** A module that the server has; a submodule names its module. */
interface ServedModule {
  readonly name: string;
  readonly revision: string;
  readonly text: string;
  readonly submoduleOf?: string;
  /**
   * Path that the server reports for the library; default: the actual path. Null: the server reports none.
   */
  readonly url?: string | null;
}

/** Form in which the server describes its modules: RFC 8525, RFC 7895, or not at all. */
export interface YangLibrary {
  readonly form: 'yang-library' | 'modules-state' | 'none';
  readonly modules: readonly ServedModule[];
}

const UNITS = `module demo-units {
  yang-version 1.1; namespace "urn:demo:units"; prefix u;
  revision 2026-01-01;
  typedef percent { type uint8 { range "0..100"; } units "percent"; }
}
`;
const LINKS = `module demo-links {
  yang-version 1.1; namespace "urn:demo:links"; prefix l;
  import demo-units { prefix u; }
  include demo-links-groups;
  revision 2026-02-01;
  typedef load { type u:percent; }
}
`;
const GROUPS = `submodule demo-links-groups {
  yang-version 1.1; belongs-to demo-links { prefix l; }
  revision 2026-02-01;
  grouping link { leaf load { type l:load; } }
}
`;

/** Three small modules that need each other. */
export const DEMO_LIBRARY: YangLibrary = {
  form: 'yang-library',
  modules: [
    { name: 'demo-units', revision: '2026-01-01', text: UNITS },
    { name: 'demo-links', revision: '2026-02-01', text: LINKS },
    { name: 'demo-links-groups', revision: '2026-02-01', text: GROUPS, submoduleOf: 'demo-links' },
  ],
};

/** Below the RESTCONF root. */
const FOLDER = '/yang/';
const RESOURCE = /^\/data\/ietf-yang-library:(yang-library|modules-state)$/;

/** True for the paths that this file answers, below the root. */
export function isOfLibrary(resource: string): boolean {
  return RESOURCE.test(resource) || resource.startsWith(FOLDER);
}

/** The library, or the text of a module. `base` is the URL of the root. */
export function answerLibrary(
  { form, modules }: YangLibrary,
  { resource, method, base }: { readonly resource: string; readonly method: string; readonly base: string },
): Reply {
  if (!['GET', 'HEAD'].includes(method)) throw notAllowed(['GET', 'HEAD']);
  const asked = RESOURCE.exec(resource)?.[1];
  if (asked !== undefined) {
    if (asked !== form) throw notFound();
    return { status: 200, body: libraryOf({ form, modules }, base) };
  }
  const served = modules.find((module) => `${FOLDER}${fileOf(module)}` === resource);
  if (!served) throw notFound();
  return { status: 200, headers: { 'content-type': 'application/yang' }, body: served.text };
}

function fileOf({ name, revision }: ServedModule): string {
  return `${name}@${revision}.yang`;
}

/** Returns the library by RFC 8525, or by RFC 7895. */
function libraryOf({ form, modules }: YangLibrary, base: string): Json {
  const isLater = form === 'yang-library';
  const entry = (module: ServedModule): Json => {
    const url = urlOf(module, base);
    return {
      name: module.name,
      revision: module.revision,
      ...(module.submoduleOf === undefined && { namespace: `urn:demo:${module.name}` }),
      ...(url !== null && (isLater ? { location: [url] } : { schema: url })),
      ...(!isLater && module.submoduleOf === undefined && { 'conformance-type': 'implement' }),
      submodule: modules.filter(({ submoduleOf }) => submoduleOf === module.name).map(entry),
    };
  };
  const all = modules.filter(({ submoduleOf }) => submoduleOf === undefined).map(entry);
  if (!isLater) return { 'ietf-yang-library:modules-state': { 'module-set-id': '1', module: all } };
  const set = { name: 'all', module: all.slice(0, 1), 'import-only-module': all.slice(1) };
  const schema = [{ name: 'all', 'module-set': ['all'] }];
  return { 'ietf-yang-library:yang-library': { 'module-set': [set], schema, 'content-id': '1' } };
}

function urlOf(module: ServedModule, base: string): string | null {
  return module.url === undefined ? `${base}${FOLDER}${fileOf(module)}` : module.url;
}
