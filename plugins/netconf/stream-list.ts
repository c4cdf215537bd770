import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import { NETCONF, RpcFailed } from './messages.js';
import type { Session } from './session.js';
import { SUBSCRIBED } from './subscribe.js';
import type { StreamListName } from './thread-tasks.js';

/** Event stream of a server, as in `ietf-restconf-monitoring` (RFC 8040 section 9.3). */
export interface StreamEntry {
  readonly name: string;
  readonly description?: string;
  readonly 'replay-support'?: boolean;
  readonly 'replay-log-creation-time'?: string;
}

/** Namespace of the list of streams of RFC 5277. */
const MANAGE = 'urn:ietf:params:xml:ns:netmod:notification';

/** Stream that every server with notifications has (RFC 5277 section 3.2.3). */
const DEFAULT_STREAM: StreamEntry = { name: 'NETCONF' };

/** Maximum number of streams of one server. */
const MAX_STREAMS = 1000;
const MAX_TEXT_LENGTH = 1000;

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

/** Returns the streams in the reply with a list. */
export function streamsIn(reply: XmlElement, list: StreamListName): readonly StreamEntry[] {
  const found = childElements(reply, 'data').flatMap((data) => childElements(data, list));
  const lists = list === 'streams' ? found : found.flatMap((one) => childElements(one, 'streams'));
  return lists
    .flatMap((streams) => childElements(streams, 'stream'))
    .slice(0, MAX_STREAMS)
    .flatMap(entryOf);
}

/** Reads an entry in the words of RFC 5277 or RFC 8639. */
function entryOf(stream: XmlElement): readonly StreamEntry[] {
  const text = (child: string): string => childText(stream, child).slice(0, MAX_TEXT_LENGTH);
  const name = text('name');
  if (name === '') return [];
  const description = text('description');
  const replay = text('replaySupport') || presence(stream, 'replay-support');
  const since = text('replayLogCreationTime') || text('replay-log-creation-time');
  return [
    {
      name,
      ...(description !== '' && { description }),
      ...(replay !== '' && { 'replay-support': replay === 'true' || replay === '1' }),
      ...(since !== '' && { 'replay-log-creation-time': since }),
    },
  ];
}

function presence(stream: XmlElement, name: string): string {
  return childElements(stream, name).length > 0 ? 'true' : '';
}

/** Returns the path of a stream below gatehouse. */
export function streamLocation(adapter: string, stream: string): string {
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
