import type { Socket } from 'node:net';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import { elapsedSince, type Scheduler, systemScheduler } from '../lib/clock.js';
import { networkOf } from '../lib/network-of.js';
import { type IsTrustedProxy, peerAddress, sharePeerAddress } from './client-address.js';

export interface ConnectionLimits {
  /** Maximum number of connections; `Infinity` for none. */
  readonly connections: number;
  /** Maximum number of connections of one network; null: half of all. */
  readonly connectionsPerAddress: number | null;
  /**
   * Returns true for the address of a trusted proxy. Its connections carry the requests of many clients, so
   * only the limit of all connections applies to them. Absent: no address is exempt.
   */
  readonly isTrustedProxy?: IsTrustedProxy;
}

/** Part of all places that is kept for health checks and for callers with a token, and its maximum. */
const RESERVED_PART = 20;
const MAX_RESERVED = 100;
/** Maximum number of reserved places that one network uses. */
const RESERVED_PER_NETWORK = 10;
/** Time for the first request on a connection in a reserved place, in milliseconds. */
const RESERVED_REQUEST_MS = 2000;
/** Minimum time between two log lines, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;

/** A connection, from its start to its end. */
interface Place {
  readonly socket: Socket;
  readonly network: Network;
  /** True if the connection may carry only one request, of a health check or a caller with a token. */
  readonly isReserved: boolean;
  /** True after a request with a valid token. */
  isKnown: boolean;
  /** True after the head of a request. */
  hasRequested: boolean;
  /** Gives the place back; further calls do nothing. */
  release: () => void;
}

/** The connections of an IPv4 address, of an IPv6 /64 network, or of a trusted proxy. */
interface Network {
  readonly name: string;
  /** True for a trusted proxy, which no limit of networks applies to. */
  readonly isExempt: boolean;
  connections: number;
  reserved: number;
  readonly idle: Set<Place>;
}

const placesBySocket = new WeakMap<Socket, Place>();

/**
 * Limits the connections of a server, and those of each network. At a limit, a new connection replaces the one
 * that has been idle for longest, of those without a valid token first. If every connection has an unfinished
 * request, new connections get reserved places, for one request of a health check or of a caller with a token.
 */
export class ConnectionPlaces {
  readonly #limits: ConnectionLimits;
  readonly #scheduler: Scheduler;
  readonly #networks = new Map<string, Network>();
  readonly #places = new Map<string, Place>();
  /** Idle connections in the order of their last requests. */
  readonly #idle = new Set<Place>();
  readonly #log: Log;
  #reserved = 0;
  /** Connections that were closed at a limit since the last log line, and the time of that line. */
  #closed = 0;
  #loggedAt = -Infinity;

  constructor(limits: ConnectionLimits, log: Log, scheduler: Scheduler = systemScheduler) {
    this.#limits = limits;
    this.#log = log;
    this.#scheduler = scheduler;
  }

  /** Gives a new connection a place until it closes. Returns false if the server must close the connection. */
  admit(socket: Socket): boolean {
    const { connections, connectionsPerAddress } = this.#limits;
    if (connections === Infinity) return true;
    const network = this.#networkOf(socket);
    const isNetworkFull =
      !network.isExempt && network.connections >= (connectionsPerAddress ?? Math.ceil(connections / 2));
    const isFull = this.#places.size >= connections - this.#maxReserved();
    const isReserved =
      (isNetworkFull || isFull) && !this.#closeOldest(isNetworkFull ? network.idle : this.#idle);
    if (isNetworkFull || isFull) this.#logClosed(network);
    if (isReserved && !this.#hasReservedPlaceFor(network)) {
      this.#forgetEmpty(network);
      return false;
    }
    this.#add({ socket, network, isReserved, isKnown: false, hasRequested: false, release: () => undefined });
    return true;
  }

  /**
   * Gives a connection a place among those of its client, after a PROXY header named the client. Returns false
   * if the server must close the connection.
   */
  readmit(socket: Socket): boolean {
    placesBySocket.get(socket)?.release();
    return this.admit(socket);
  }

  /** Gives the TLS socket of a connection the place, and the address of the peer, of its TCP socket. */
  secure(tlsSocket: Socket): void {
    const place = this.#places.get(peerOf(tlsSocket));
    if (!place) return;
    placesBySocket.set(tlsSocket, place);
    sharePeerAddress(place.socket, tlsSocket);
  }

  /** Records that a connection has an unfinished request. */
  begin(socket: Socket): void {
    const place = placesBySocket.get(socket);
    if (!place) return;
    place.hasRequested = true;
    this.#removeIdle(place);
  }

  /** Records that all requests of a connection are finished. */
  finish(socket: Socket): void {
    const place = placesBySocket.get(socket);
    if (place && !place.socket.destroyed) this.#addIdle(place);
  }

  #add(place: Place): void {
    const { socket, network, isReserved } = place;
    const peer = peerOf(socket);
    this.#places.set(peer, place);
    placesBySocket.set(socket, place);
    network.connections += 1;
    const releaseReserved = isReserved ? this.#reserve(place) : undefined;
    if (!isReserved) this.#addIdle(place);
    place.release = () => {
      place.release = () => undefined;
      socket.off('close', onClose);
      if (this.#places.get(peer) === place) this.#places.delete(peer);
      this.#removeIdle(place);
      releaseReserved?.();
      network.connections -= 1;
      this.#forgetEmpty(network);
    };
    const onClose = (): void => {
      place.release();
    };
    socket.once('close', onClose);
  }

  /** Counts a reserved place, and starts the time for its first request. Returns the function that ends both. */
  #reserve(place: Place): () => void {
    const { socket, network } = place;
    this.#reserved += 1;
    network.reserved += 1;
    const cancel = this.#scheduler.after(RESERVED_REQUEST_MS, () => {
      if (!place.hasRequested) socket.destroy();
    });
    return () => {
      cancel();
      this.#reserved -= 1;
      network.reserved -= 1;
    };
  }

  #addIdle(place: Place): void {
    place.network.idle.add(place);
    this.#idle.add(place);
  }

  #removeIdle(place: Place): void {
    place.network.idle.delete(place);
    this.#idle.delete(place);
  }

  /** Closes the idle connection with the oldest last request, of callers without a token first. Returns false if none is idle. */
  #closeOldest(idle: ReadonlySet<Place>): boolean {
    const place = oldestOf(idle);
    if (!place) return false;
    // The event `close` comes later; until then, no other connection may replace this one.
    this.#removeIdle(place);
    place.socket.destroy();
    return true;
  }

  /** Logs at most one line per minute. */
  #logClosed({ name, connections }: Network): void {
    this.#closed += 1;
    if (elapsedSince(this.#scheduler, this.#loggedAt) < LOG_INTERVAL_MS) return;
    const fields = {
      closed: this.#closed,
      connections: this.#places.size,
      network: name,
      ofNetwork: connections,
    };
    this.#log.warn('too many connections; idle ones are closed', fields);
    this.#closed = 0;
    this.#loggedAt = this.#scheduler.now();
  }

  #maxReserved(): number {
    return Math.min(MAX_RESERVED, Math.floor(this.#limits.connections / RESERVED_PART));
  }

  #hasReservedPlaceFor(network: Network): boolean {
    const hasShare = network.isExempt || network.reserved < RESERVED_PER_NETWORK;
    return hasShare && this.#reserved < this.#maxReserved();
  }

  #networkOf(socket: Socket): Network {
    const address = peerAddress(socket);
    const isExempt = this.#limits.isTrustedProxy?.(address) === true;
    // A trusted proxy may be in the /64 network of other peers.
    const name = isExempt ? `proxy ${address}` : networkOf(address);
    const known = this.#networks.get(name);
    const network = known ?? { name, isExempt, connections: 0, reserved: 0, idle: new Set() };
    this.#networks.set(name, network);
    return network;
  }

  #forgetEmpty(network: Network): void {
    if (network.connections === 0) this.#networks.delete(network.name);
  }
}

/** Returns the first connection without a valid token, or the first of all. */
function oldestOf(idle: ReadonlySet<Place>): Place | undefined {
  for (const place of idle) if (!place.isKnown) return place;
  const [oldest] = idle;
  return oldest;
}

/** Returns a text that identifies an open connection of this server. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Records that a caller with a valid token uses the connection; idle connections of others end first. */
export function markKnownCaller(socket: Socket): void {
  const place = placesBySocket.get(socket);
  if (place) place.isKnown = true;
}

/** Returns true for a connection in a reserved place, which ends after its first request. */
export function isReservedPlace(socket: Socket): boolean {
  return placesBySocket.get(socket)?.isReserved === true;
}

/** Throws `overloaded` for a request without a token in a reserved place. */
export function requireUnreservedPlace(socket: Socket): void {
  if (!isReservedPlace(socket)) return;
  throw new Problem('overloaded', 'The server has no place for another connection without a token.', {
    headers: { 'retry-after': '1' },
  });
}
