import { createHttpApp, type HttpAppDeps } from './http-app.js';
import { listen, type RunningServer } from '../http/server.js';
import { readServerTls } from './server-tls.js';
import { openWorkers, type WorkersInput } from './cluster/open-workers.js';

/** The first descriptor that a service manager hands over (sd_listen_fds(3)). */
const FIRST = 3;

/** The socket that a service manager has opened for this process, which listens already; undefined where there is none. */
export function inheritedSocket(
  { LISTEN_PID, LISTEN_FDS }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  if (LISTEN_PID !== String(pid) || !/^[1-9]\d*$/.test(LISTEN_FDS ?? '')) return undefined;
  if (LISTEN_FDS !== '1')
    throw new Error(`One socket is wanted, and there are ${LISTEN_FDS ?? ''}. Name one ListenStream alone.`);
  return FIRST;
}

export type ServerInput = Omit<HttpAppDeps, 'whenPropagated' | 'workers'> &
  Omit<WorkersInput, 'doors' | 'tls' | 'inherited'>;

/** A server that answers. */
export interface RunningListener extends RunningServer {
  /** Replaces the processes that serve calls, without a lost call; undefined where there is one process alone. */
  readonly restart?: () => Promise<void>;
}

/** Opens the server: in this process, or with call workers where the settings ask for them. */
export async function openServer(input: ServerInput): Promise<RunningListener> {
  const { basis, settings, env, log, tracer } = input;
  const { news, roster, standings } = basis;
  const spanCounts = (): ReturnType<typeof input.spanCounts> => standings.allSpans(input.spanCounts());
  const doors = createHttpApp({ ...input, whenPropagated: news.whenPropagated, workers: roster, spanCounts });
  try {
    const tls = (settings.server.tls && (await readServerTls(settings.server.tls))) ?? undefined;
    const inherited = inheritedSocket(env, process.pid);
    if (basis.count > 0) return await openWorkers({ ...input, doors, tls, inherited });
    const server = await listen({
      ...doors,
      settings: settings.server,
      inherited,
      log,
      tracer,
      ...(tls && { tls }),
    });
    return {
      url: server.url,
      close: () => {
        doors.close();
        return server.close();
      },
    };
  } catch (error) {
    doors.close();
    throw error;
  }
}
