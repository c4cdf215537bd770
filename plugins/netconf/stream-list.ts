import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { NETCONF, RpcFailed } from './messages.js';
import type { Session } from './session.js';
import { SUBSCRIBED } from './subscribe.js';

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

/** Asks a server for its event streams: in the list of RFC 5277, or that of RFC 8639. Returns none if it has no notifications. */
export async function readStreams(session: Session, signal: AbortSignal): Promise<readonly StreamEntry[]> {
  const { capabilities } = session;
  if (capabilities.has('notification')) {
    const listed = await readList(session, { namespace: MANAGE, name: 'netconf' }, signal);
    return listed.length > 0 ? listed : [DEFAULT_STREAM];
  }
  if (!capabilities.modules.some(({ name }) => name === 'ietf-subscribed-notifications')) return [];
  const listed = await readList(session, { namespace: SUBSCRIBED, name: 'streams' }, signal);
  return listed.length > 0 ? listed : [DEFAULT_STREAM];
}

async function readList(
  session: Session,
  top: XmlOutput,
  signal: AbortSignal,
): Promise<readonly StreamEntry[]> {
  const filter = { namespace: NETCONF, name: 'filter', attributes: { type: 'subtree' }, content: [top] };
  try {
    const reply = await session.rpc({ namespace: NETCONF, name: 'get', content: [filter] }, signal);
    const found = childElements(reply, 'data').flatMap((data) => childElements(data, top.name));
    const lists = top.name === 'streams' ? found : found.flatMap((one) => childElements(one, 'streams'));
    return lists.flatMap((list) => childElements(list, 'stream')).flatMap(entryOf);
  } catch (error) {
    if (error instanceof RpcFailed) return [];
    throw error;
  }
}

/** Reads an entry in the words of RFC 5277 or RFC 8639. */
function entryOf(stream: XmlElement): readonly StreamEntry[] {
  const name = childText(stream, 'name').trim();
  if (name === '') return [];
  const description = childText(stream, 'description').trim();
  const replay = childText(stream, 'replaySupport').trim() || presence(stream, 'replay-support');
  const since = (
    childText(stream, 'replayLogCreationTime') || childText(stream, 'replay-log-creation-time')
  ).trim();
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
