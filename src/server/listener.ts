import { isSameListenerTls } from '../core/listener-tls.js';
import { listen, type RunningServer } from '../http/server.js';
import { openWorkers, type ListenerInput } from './cluster/open-workers.js';

/** The first descriptor that a service manager hands over (sd_listen_fds(3)). */
const FIRST_INHERITED_FD = 3;

/**
 * Returns the descriptor of the listening socket that a service manager opened for this process; undefined if there is no
 * such socket. Throws an Error if there are several sockets.
 */
function inheritedSocket(
  { LISTEN_PID, LISTEN_FDS }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  if (LISTEN_PID !== String(pid) || !/^[1-9]\d*$/.test(LISTEN_FDS ?? '')) return undefined;
  if (LISTEN_FDS !== '1')
    throw new Error(
      `Expected exactly one systemd socket, got ${LISTEN_FDS ?? ''}. Keep a single ListenStream= in the socket unit.`,
    );
  return FIRST_INHERITED_FD;
}

/** A listening server. */
export interface OpenListener extends RunningServer {
  /** Replaces the call workers one by one without a lost call; logs a warning if there are none. */
  readonly restart: () => Promise<void>;
}

/**
 * Opens the listener in this process, or in front of call workers if the settings require them. Outbound calls
 * can no longer reach it.
 */
export async function openListener(input: ListenerInput): Promise<OpenListener> {
  const { current } = input;
  const listener = await listenWith(input);
  current.current().egress.denyListener(listener.url);
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
      return listener.close();
    },
  };
}

async function listenWith(input: ListenerInput): Promise<OpenListener> {
  const { app, workerMode, settings, current, env, log, tracer } = input;
  try {
    const tls = current.current().listenerTls?.material;
    const inherited = inheritedSocket(env, process.pid);
    if (inherited !== undefined && input.listen !== undefined)
      log.warn('--listen has no effect: the server uses the socket that systemd opened', {
        fix: 'set ListenStream= of the socket unit, or stop the socket unit',
      });
    if (workerMode.count > 0) return await openWorkers({ ...input, tls, inherited });
    const server = { ...settings.server, listen: input.listen ?? settings.server.listen };
    const options = { ...app, settings: server, inherited, log, tracer };
    const running = await listen({ ...options, ...(tls && { tls }) });
    return {
      url: running.url,
      replaceTls: running.replaceTls,
      endKeepAlive: running.endKeepAlive,
      restart() {
        log.warn('no call workers to restart: server.workers is 1');
        return Promise.resolve();
      },
      close() {
        app.close();
        return running.close();
      },
    };
  } catch (error) {
    app.close();
    throw error;
  }
}
