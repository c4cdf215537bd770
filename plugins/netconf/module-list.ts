import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { NETCONF, RpcFailed } from './messages.js';
import type { ModuleListName, ServerModule } from './modules-in.js';
import type { SchemaText } from './schema-text.js';
import type { Session } from './session.js';

const YANG_LIBRARY = 'urn:ietf:params:xml:ns:yang:ietf-yang-library';
const MONITORING = 'urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring';

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
