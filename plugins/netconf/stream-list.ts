import { NETCONF, RpcFailed } from './messages.js';
import type { Session } from './session.js';
import type { StreamEntry, StreamListName } from './streams-in.js';
import { SUBSCRIBED } from './subscribe.js';

/** Namespace of the list of streams of RFC 5277. */
const MANAGE = 'urn:ietf:params:xml:ns:netmod:notification';

/** Stream that every server with notifications has (RFC 5277 section 3.2.3). */
const DEFAULT_STREAM: StreamEntry = { name: 'NETCONF' };

/** Asks a server for its event streams: in the list of RFC 5277, or that of RFC 8639. Returns none if it has no notifications. */
export async function readStreams(session: Session, signal: AbortSignal): Promise<readonly StreamEntry[]> {
  const { capabilities } = session;
  const hasNotification = capabilities.has('notification');
  if (!hasNotification && !capabilities.modules.some(({ name }) => name === 'ietf-subscribed-notifications'))
    return [];
  const listed = await readList(session, hasNotification ? 'netconf' : 'streams', signal);
  return listed.length > 0 ? listed : [DEFAULT_STREAM];
}

async function readList(
  session: Session,
  list: StreamListName,
  signal: AbortSignal,
): Promise<readonly StreamEntry[]> {
  const top = { namespace: list === 'netconf' ? MANAGE : SUBSCRIBED, name: list };
  const filter = { namespace: NETCONF, name: 'filter', attributes: { type: 'subtree' }, content: [top] };
  const operation = { namespace: NETCONF, name: 'get', content: [filter] };
  try {
    return await session.rpc(operation, signal, { as: 'streams', list });
  } catch (error) {
    if (error instanceof RpcFailed) return [];
    throw error;
  }
}

/** Returns the path of a stream below gatehouse. */
function streamLocation(adapter: string, stream: string): string {
  return `/proxy/${encodeURIComponent(adapter)}/streams/${encodeURIComponent(stream)}`;
}

/** Returns the container `streams` of `ietf-restconf-monitoring`, with the location of each stream. */
export function monitoringStreams(adapter: string, streams: readonly StreamEntry[]): object {
  const stream = streams.map((entry) => ({
    ...entry,
    access: [{ encoding: 'json', location: streamLocation(adapter, entry.name) }],
  }));
  return { stream };
}
