import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { AnnouncedModule } from './capabilities.js';
import { NETCONF, RpcFailed } from './messages.js';
import type { SchemaText } from './schema-text.js';
import type { Session } from './session.js';
import type { ModuleListName } from './thread-tasks.js';

const YANG_LIBRARY = 'urn:ietf:params:xml:ns:yang:ietf-yang-library';
const MONITORING = 'urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring';
const YANG_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,254}$/;

/** Module that a server implements. */
export type ServerModule = Pick<AnnouncedModule, 'name' | 'revision' | 'features'>;

/** Maximum number of modules of one server. */
export const MAX_MODULES = 4000;

/**
 * Asks a server which modules it implements: its YANG library (RFC 8525, RFC 7895), the modules of its hello, or else its schemas
 * (RFC 6022). Returns no modules if the server has none of them.
 */
export async function readModuleList(
  session: Session,
  signal: AbortSignal,
): Promise<readonly ServerModule[]> {
  const { capabilities } = session;
  const ask = (list: ModuleListName): Promise<readonly ServerModule[]> => readList(session, list, signal);
  if (capabilities.has('yang-library'))
    for (const list of ['yang-library', 'modules-state'] as const) {
      const modules = await ask(list);
      if (modules.length > 0) return modules;
    }
  return capabilities.modules.length > 0 ? capabilities.modules : ask('netconf-state');
}

const FILTERS: Readonly<Record<ModuleListName, XmlOutput>> = {
  'yang-library': { namespace: YANG_LIBRARY, name: 'yang-library' },
  'modules-state': { namespace: YANG_LIBRARY, name: 'modules-state' },
  'netconf-state': {
    namespace: MONITORING,
    name: 'netconf-state',
    content: [{ namespace: MONITORING, name: 'schemas' }],
  },
};

/** Returns the modules in a list; none if the server does not have the list. */
async function readList(
  session: Session,
  list: ModuleListName,
  signal: AbortSignal,
): Promise<readonly ServerModule[]> {
  const content = [
    { namespace: NETCONF, name: 'filter', attributes: { type: 'subtree' }, content: [FILTERS[list]] },
  ];
  try {
    return await session.rpc({ namespace: NETCONF, name: 'get', content }, signal, { as: 'modules', list });
  } catch (error) {
    if (error instanceof RpcFailed) return [];
    throw error;
  }
}

/** Returns the modules in the reply with a list. */
export function modulesIn(reply: XmlElement, list: ModuleListName): readonly ServerModule[] {
  const element = childElements(reply, 'data')[0]?.children.find(({ name }) => name === list);
  return element ? READERS[list](element).slice(0, MAX_MODULES) : [];
}

const READERS: Readonly<Record<ModuleListName, (list: XmlElement) => readonly ServerModule[]>> = {
  'yang-library': modulesOfLibrary,
  'modules-state': (state) => childElements(state, 'module').filter(isImplemented).flatMap(moduleOf),
  'netconf-state': (state) =>
    childElements(state, 'schemas')
      .flatMap((schemas) => childElements(schemas, 'schema'))
      .flatMap(moduleOfSchema),
};

function modulesOfLibrary(library: XmlElement): readonly ServerModule[] {
  return childElements(library, 'module-set')
    .flatMap((set) => childElements(set, 'module'))
    .flatMap(moduleOf);
}

function isImplemented(module: XmlElement): boolean {
  return childText(module, 'conformance-type') !== 'import';
}

function moduleOf(module: XmlElement): readonly ServerModule[] {
  const features = new Set(childElements(module, 'feature').map(({ text }) => text.trim()));
  return moduleWith(childText(module, 'name'), childText(module, 'revision'), features);
}

function moduleOfSchema(schema: XmlElement): readonly ServerModule[] {
  return moduleWith(childText(schema, 'identifier'), childText(schema, 'version'), new Set());
}

function moduleWith(name: string, revision: string, features: ReadonlySet<string>): readonly ServerModule[] {
  if (!YANG_NAME.test(name)) return [];
  return [{ name, revision: revision === '' ? undefined : revision, features }];
}

/** Asks a server for the text of a module or submodule (RFC 6022 section 3.1); undefined if it does not have it. */
export async function readSchema(
  session: Session,
  { name, revision }: Pick<ServerModule, 'name' | 'revision'>,
  signal: AbortSignal,
): Promise<SchemaText | undefined> {
  const content = [
    { namespace: MONITORING, name: 'identifier', content: name },
    ...(revision === undefined ? [] : [{ namespace: MONITORING, name: 'version', content: revision }]),
    { namespace: MONITORING, name: 'format', content: 'yang' },
  ];
  const operation = { namespace: MONITORING, name: 'get-schema', content };
  try {
    return await session.rpc(operation, signal, { as: 'schema', name });
  } catch (error) {
    if (error instanceof RpcFailed) return undefined;
    throw error;
  }
}
