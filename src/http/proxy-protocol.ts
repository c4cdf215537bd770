import type { Server } from 'node:http';
import { type Socket, isIPv4, isIPv6 } from 'node:net';
import type { Log } from '../core/log.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { type IsTrustedProxy, peerAddress, setPeerAddress, parseAddress } from './client-address.js';

interface ProxyProtocolOptions {
  readonly accepts: ProxyProtocolVersions;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Maximum time until the header has arrived, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the header has named the client. Returns false if the server must close the connection. */
  readonly readmit: (socket: Socket) => boolean;
  readonly log: Log;
  readonly scheduler?: Scheduler;
}

/** Minimum time between two log lines, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;

/** Listener of Node's server for a new connection. */
type ServeConnection = (socket: Socket) => void;

/**
 * Makes a server read a PROXY header at the start of each connection of a trusted proxy, before TLS and HTTP. It
 * closes a connection whose header is missing, invalid or late. Connections of other peers have no header: one that
 * they send is a malformed request. Call it before other listeners for `connection` are added.
 */
export function expectProxyHeaders(server: Server, options: ProxyProtocolOptions): void {
  const listeners = server.listeners('connection') as ServeConnection[];
  server.removeAllListeners('connection');
  const serve: ServeConnection = (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const refuse = createRefusal(options);
  // An upgrade that the server ignores emits a connection a second time.
  const identified = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    if (identified.has(socket) || !options.isTrustedProxy(peerAddress(socket))) {
      serve(socket);
      return;
    }
    identified.add(socket);
    readHeader(socket, options, (outcome) => {
      if ('reason' in outcome) {
        refuse(socket, outcome.reason);
        return;
      }
      if (outcome.source !== undefined) setPeerAddress(socket, outcome.source);
      if (options.readmit(socket)) serve(socket);
      else socket.destroy();
    });
  });
}

/** What a connection started with: a header, whose source may be unknown, or the reason of a refusal. */
type HeaderOutcome = { readonly source?: string | undefined } | { readonly reason: string };

/** Reads the header. Calls `onOutcome` once, unless the connection closes before. */
function readHeader(
  socket: Socket,
  { accepts, timeoutMs, scheduler = systemScheduler }: ProxyProtocolOptions,
  onOutcome: (outcome: HeaderOutcome) => void,
): void {
  let received = Buffer.alloc(0);
  const finish = (outcome?: HeaderOutcome): void => {
    cancelTimeout();
    socket.off('readable', read).off('end', onEnd).off('error', onEnd).off('close', onClose);
    if (outcome) onOutcome(outcome);
  };
  const read = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const header = parseProxyHeader(received, accepts);
    if (header.state === 'incomplete') return;
    if (header.state === 'invalid') {
      finish({ reason: header.reason });
      return;
    }
    if (header.length < received.length) socket.unshift(received.subarray(header.length));
    finish({ source: header.source });
    // The listener `readable` has paused the connection.
    if (!socket.destroyed) socket.resume();
  };
  const onEnd = (): void => {
    finish();
    socket.destroy();
  };
  const onClose = (): void => {
    finish();
  };
  const cancelTimeout = scheduler.after(timeoutMs, () => {
    finish({ reason: 'the PROXY header did not arrive in time' });
  });
  socket.on('readable', read).once('end', onEnd).once('error', onEnd).once('close', onClose);
}

/** Creates the function that closes a connection without a valid header, and logs at most one line per minute. */
function createRefusal({
  log,
  scheduler = systemScheduler,
}: ProxyProtocolOptions): (socket: Socket, reason: string) => void {
  const cooldown = createCooldown(scheduler, LOG_INTERVAL_MS);
  let refused = 0;
  return (socket, reason) => {
    refused += 1;
    const proxy = peerAddress(socket);
    // Without a listener, a late error of the connection would end the process.
    socket.on('error', () => undefined).destroy();
    if (cooldown() > 0) return;
    log.warn('connections of a trusted proxy had no valid PROXY header; they were closed', {
      proxy,
      reason,
      closed: refused,
      setting: 'server.proxyProtocol',
    });
    refused = 0;
  };
}

/** Versions of the PROXY protocol that a listener accepts. */
type ProxyProtocolVersions = 'v1' | 'v2' | 'any';

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
