import type { IncomingMessage } from 'node:http';
import { isIP, type Socket, SocketAddress } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Returns true for the address of a proxy whose statements about its clients count. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * Creates the check for the addresses and networks of `server.trustedProxies`. Throws a TypeError for an entry that
 * is neither an address nor a network in CIDR notation.
 */
export function createTrustedProxies(entries: readonly string[]): IsTrustedProxy {
  if (entries.length === 0) return () => false;
  const isTrusted = proxyAddr.compile([...entries]);
  return (address) => isTrusted(address, 0);
}

/** Source addresses from PROXY headers, by connection. */
const proxiedAddresses = new WeakMap<Socket, string>();

/** Stores the source address that the PROXY header of a connection names. */
export function setPeerAddress(socket: Socket, address: string): void {
  proxiedAddresses.set(socket, address);
}

/** Gives the TLS socket of a connection the address of the peer of its TCP socket. */
export function sharePeerAddress(tcpSocket: Socket, tlsSocket: Socket): void {
  const address = proxiedAddresses.get(tcpSocket);
  if (address !== undefined) proxiedAddresses.set(tlsSocket, address);
}

/**
 * Returns the address of the peer of a connection: the source in its PROXY header, else the other end of the TCP
 * connection. IPv4 addresses are never in IPv6 form. Empty if the connection has no address.
 */
export function peerAddress(socket: Socket): string {
  const address = proxiedAddresses.get(socket) ?? socket.remoteAddress ?? '';
  return address.startsWith(MAPPED_PREFIX) ? withoutMapping(address) : address;
}

/**
 * Returns the address of the client that sent a request. Limits, log lines, audit records and forwarded headers use
 * this address. It is the peer of the connection, unless the peer is a trusted proxy: then it is the last address in
 * `X-Forwarded-For` that is not a trusted proxy. Entries before it are not read, because a client can send them; an
 * entry that is not an address ends the search. No other header counts: a proxy that sets one of several headers
 * would pass the others on as the client sent them.
 */
export function clientAddress({ headers, socket }: IncomingMessage, isTrusted: IsTrustedProxy): string {
  const peer = peerAddress(socket);
  if (!isTrusted(peer) || headers['x-forwarded-for'] === undefined) return peer;
  // The package reads only these members. The socket would hide the source of a PROXY header.
  const chain: unknown = { headers, socket: { remoteAddress: peer } };
  const hops = proxyAddr.all(chain as IncomingMessage, (hop) => isTrusted(parseAddress(hop) ?? ''));
  return hops.map(parseAddress).findLast((address) => address !== undefined) ?? peer;
}

/** Text before an IPv4 address in IPv6 form. */
const MAPPED_PREFIX = '::ffff:';

/**
 * Parses an address of `X-Forwarded-For`, with an optional port as some proxies write it. Returns the canonical
 * form; undefined for any other text.
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed, plain = text] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? plain).trim();
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  if (version === 4) return address;
  return withoutMapping(new SocketAddress({ address, family: 'ipv6' }).address);
}

function withoutMapping(address: string): string {
  const rest = address.slice(MAPPED_PREFIX.length);
  return address.startsWith(MAPPED_PREFIX) && isIP(rest) === 4 ? rest : address;
}
