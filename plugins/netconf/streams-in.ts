import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';

/** Event stream of a server, as in `ietf-restconf-monitoring` (RFC 8040 section 9.3). */
export interface StreamEntry {
  readonly name: string;
  readonly description?: string;
  readonly 'replay-support'?: boolean;
  readonly 'replay-log-creation-time'?: string;
}

/** Lists of event streams: of RFC 5277 and RFC 8639. */
export type StreamListName = 'netconf' | 'streams';

/** Maximum number of streams of one server. */
const MAX_STREAMS = 1000;
const MAX_TEXT_LENGTH = 1000;

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
