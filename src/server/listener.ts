import type { Socket } from 'node:net';
import type { ListenerTls } from '../core/certificate.js';
import type { Log } from '../core/log.js';
import type { Tracer } from '../core/trace.js';
import { listen, openServer, type RunningServer } from '../http/server.js';
import type { Settings } from '../settings/settings.js';
import type { HttpApp } from './http-app.js';
import type { ActiveSnapshot } from './state/snapshot.js';
import type { SnapshotHolder } from './state/swap.js';
import type { Siblings } from './workers/siblings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first descriptor that a service manager hands over (sd_listen_fds(3)). */
const FIRST_INHERITED_FD = 3;

/**
 * Returns the descriptor of the listening socket that a service manager opened for this process; undefined if there is no
 * such socket. Throws an Error if there are several sockets.
 */
export function inheritedSocket({ env, listen: given, log }: InheritanceInput): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = env;
  if (LISTEN_PID !== String(process.pid) || !/^[1-9]\d*$/.test(LISTEN_FDS ?? '')) return undefined;
  if (LISTEN_FDS !== '1')
    throw new Error(
      `Expected exactly one systemd socket, got ${LISTEN_FDS ?? ''}. Keep a single ListenStream= in the socket unit.`,
    );
  if (given !== undefined)
    log.warn('--listen has no effect: the server uses the socket that systemd opened', {
      fix: 'set ListenStream= of the socket unit, or stop the socket unit',
    });
  return FIRST_INHERITED_FD;
}

interface InheritanceInput {
  readonly env: Environment;
  /** Address of the command line, which an inherited socket overrides. */
  readonly listen: string | undefined;
  readonly log: Log;
}

/** A server that receives connections, at its own address or from the starter. */
interface OpenListener extends RunningServer {
  /** Serves a connection that the starter has accepted. */
  readonly take: (socket: Socket) => void;
  /** Ends the connections gracefully. Resolves when every connection has ended or its time limit has passed. */
  readonly retire: () => Promise<void>;
}

interface ListenerInput extends InheritanceInput {
  readonly app: HttpApp;
  readonly settings: Settings;
  readonly siblings: Siblings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly tracer: Tracer;
}

/** Opens the listener, which uses the certificates of the current configuration. */
export async function openListener(input: ListenerInput): Promise<OpenListener> {
  const { current, app } = input;
  const listener = await openFor(input).catch((error: unknown) => {
    app.close();
    throw error;
  });
  let inUse = current.current().listenerTls?.material;
  const removeListener = current.onSwap(() => {
    const next = current.current().listenerTls?.material;
    if (!inUse || !next || isSameListenerTls(inUse, next)) return;
    listener.replaceTls(next);
    inUse = next;
  });
  return {
    ...listener,
    close() {
      removeListener();
      app.close();
      return listener.close();
    },
  };
}

async function openFor(input: ListenerInput): Promise<OpenListener> {
  const { app, settings, siblings, current, log, tracer } = input;
  const tls = current.current().listenerTls?.material;
  const options = { ...app, settings: settings.server, log, tracer, ...(tls && { tls }) };
  if (siblings.processes > 1) return { ...openServer(options), url: '' };
  const server = { ...settings.server, listen: input.listen ?? settings.server.listen };
  const running = await listen({ ...options, settings: server, inherited: inheritedSocket(input) });
  return { ...running, take: (socket) => socket.destroy(), retire: running.close };
}

/** Returns true if both have the same certificates, keys and revocation lists. */
function isSameListenerTls(one: ListenerTls, other: ListenerTls): boolean {
  const textOf = ({ cert, key, clientCa, clientCrl }: ListenerTls): string =>
    JSON.stringify([cert, key.reveal(), clientCa, clientCrl]);
  return textOf(one) === textOf(other);
}
