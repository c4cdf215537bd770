import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { AnnouncedModule } from './capabilities.js';
import { NETCONF, RpcFailed } from './messages.js';
import type { Session } from './session.js';

const YANG_LIBRARY = 'urn:ietf:params:xml:ns:yang:ietf-yang-library';
const MONITORING = 'urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring';
const YANG_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Module that a server implements. */
export type ServerModule = Pick<AnnouncedModule, 'name' | 'revision' | 'features'>;

/**
 * Asks a server which modules it implements: its YANG library (RFC 8525, RFC 7895), the modules of its hello, or else its schemas
 * (RFC 6022). Returns no modules if the server has none of them.
 */
export async function readModuleList(
  session: Session,
  signal: AbortSignal,
): Promise<readonly ServerModule[]> {
  const { capabilities } = session;
  const ask = (filter: XmlOutput): Promise<XmlElement | undefined> => readState(session, filter, signal);
  if (capabilities.has('yang-library')) {
    const library = await ask({ namespace: YANG_LIBRARY, name: 'yang-library' });
    const modules = library ? modulesOfLibrary(library) : [];
    if (modules.length > 0) return modules;
    const state = await ask({ namespace: YANG_LIBRARY, name: 'modules-state' });
    const older = state ? childElements(state, 'module').filter(isImplemented).flatMap(moduleOf) : [];
    if (older.length > 0) return older;
  }
  if (capabilities.modules.length > 0) return capabilities.modules;
  const content = [{ namespace: MONITORING, name: 'schemas' }];
  const state = await ask({ namespace: MONITORING, name: 'netconf-state', content });
  const schemas = state
    ? childElements(state, 'schemas').flatMap((list) => childElements(list, 'schema'))
    : [];
  return schemas.flatMap(moduleOfSchema);
}

/** Returns the element with that state; undefined if the server does not have it. */
async function readState(
  session: Session,
  filter: XmlOutput,
  signal: AbortSignal,
): Promise<XmlElement | undefined> {
  const content = [
    { namespace: NETCONF, name: 'filter', attributes: { type: 'subtree' }, content: [filter] },
  ];
  try {
    const reply = await session.rpc({ namespace: NETCONF, name: 'get', content }, signal);
    return childElements(reply, 'data')[0]?.children.find(({ name }) => name === filter.name);
  } catch (error) {
    if (error instanceof RpcFailed) return undefined;
    throw error;
  }
}

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
): Promise<string | undefined> {
  const content = [
    { namespace: MONITORING, name: 'identifier', content: name },
    ...(revision === undefined ? [] : [{ namespace: MONITORING, name: 'version', content: revision }]),
    { namespace: MONITORING, name: 'format', content: 'yang' },
  ];
  try {
    const reply = await session.rpc({ namespace: MONITORING, name: 'get-schema', content }, signal);
    return childElements(reply, 'data')[0]?.text;
  } catch (error) {
    if (error instanceof RpcFailed) return undefined;
    throw error;
  }
}
