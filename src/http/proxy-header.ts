import { isIPv4, isIPv6 } from 'node:net';
import { parseAddress } from './client-address.js';

/** Versions of the PROXY protocol that a listener accepts. */
export type ProxyProtocolVersions = 'v1' | 'v2' | 'any';

/** Result of parsing the first bytes of a connection. */
type ProxyHeader =
  | { readonly state: 'incomplete' }
  | { readonly state: 'invalid'; readonly reason: string }
  | {
      readonly state: 'complete';
      /** Number of bytes of the header. */
      readonly length: number;
      /** Address of the client; absent for requests of the proxy itself, such as a health check. */
      readonly source?: string | undefined;
    };

/** Maximum length of a header of version 1, with its line end (section 2.1 of the protocol). */
const MAX_V1_BYTES = 107;
/** Maximum length of a header of version 2. Addresses and all usual additions need less than a quarter. */
const MAX_V2_BYTES = 2048;

const V1_START = Buffer.from('PROXY ');
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n');
/** Number of bytes before the addresses of version 2. */
const V2_FIXED_BYTES = 16;

const INCOMPLETE: ProxyHeader = { state: 'incomplete' };

/**
 * Parses the PROXY header at the start of a connection (haproxy.org, PROXY protocol, versions 1 and 2). Needs at most
 * 2048 bytes to decide: a longer or different text is `invalid` as soon as it deviates.
 */
export function parseProxyHeader(bytes: Buffer, accepts: ProxyProtocolVersions): ProxyHeader {
  if (accepts !== 'v1' && startsAlike(bytes, V2_START)) return parseV2(bytes);
  if (accepts !== 'v2' && startsAlike(bytes, V1_START)) return parseV1(bytes);
  return invalid(
    `the connection does not start with a PROXY header${accepts === 'any' ? '' : ` of ${accepts}`}`,
  );
}

/** Returns true if the bytes start with the text, or with a part of it and nothing else. */
function startsAlike(bytes: Buffer, text: Buffer): boolean {
  const length = Math.min(bytes.length, text.length);
  return bytes.subarray(0, length).equals(text.subarray(0, length));
}

function invalid(reason: string): ProxyHeader {
  return { state: 'invalid', reason };
}

function parseV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, MAX_V1_BYTES).indexOf('\r\n');
  if (end < 0) return bytes.length < MAX_V1_BYTES ? INCOMPLETE : invalid('the PROXY header has no line end');
  const line = bytes.toString('latin1', 0, end);
  const length = end + 2;
  // The receiver ignores what follows UNKNOWN.
  if (/^PROXY UNKNOWN(?: |$)/.test(line)) return { state: 'complete', length };
  const [, family, source = '', destination = '', ...ports] =
    /^PROXY (TCP4|TCP6) (\S+) (\S+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4})$/.exec(line) ?? [];
  const isAddress = family === 'TCP4' ? isIPv4 : isIPv6;
  const areValid = [source, destination].every((address) => isAddress(address));
  if (family === undefined || !areValid || ports.some((port) => Number(port) > 65_535))
    return invalid('the PROXY header is not well-formed');
  return withSource(length, source);
}

function parseV2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_FIXED_BYTES) return INCOMPLETE;
  const [versionAndCommand = 0, familyAndProtocol = 0] = bytes.subarray(12, 14);
  const length = V2_FIXED_BYTES + bytes.readUInt16BE(14);
  const command = COMMANDS.get(versionAndCommand);
  if (command === undefined) return invalid('the PROXY header has an unknown version or command');
  // Of other families, for example sockets of the file system, the receiver uses the connection itself.
  const address = command === 'PROXY' ? ADDRESSES.get(familyAndProtocol) : undefined;
  if (length - V2_FIXED_BYTES < (address?.bytes ?? 0))
    return invalid('the PROXY header is too short for its addresses');
  if (length > MAX_V2_BYTES) return invalid(`the PROXY header is longer than ${MAX_V2_BYTES} bytes`);
  if (bytes.length < length) return INCOMPLETE;
  if (!address) return { state: 'complete', length };
  return withSource(length, address.source(bytes.subarray(V2_FIXED_BYTES)));
}

/** Commands by the byte that also has the version 2. LOCAL is a connection that the proxy opens for itself. */
const COMMANDS: ReadonlyMap<number, 'LOCAL' | 'PROXY'> = new Map([
  [0x20, 'LOCAL'],
  [0x21, 'PROXY'],
]);

/** Address blocks by family and protocol: source, destination and two ports. */
const ADDRESSES: ReadonlyMap<number, { readonly bytes: number; readonly source: (block: Buffer) => string }> =
  new Map([
    [0x11, { bytes: 12, source: (block: Buffer) => block.subarray(0, 4).join('.') }],
    [0x21, { bytes: 36, source: ipv6Source }],
  ]);

function ipv6Source(block: Buffer): string {
  return Array.from({ length: 8 }, (_, group) => block.readUInt16BE(2 * group).toString(16)).join(':');
}

function withSource(length: number, text: string): ProxyHeader {
  const source = parseAddress(text);
  return source === undefined
    ? invalid('the PROXY header has an address with a zone')
    : { state: 'complete', length, source };
}
