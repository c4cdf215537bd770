import { createHttpApp, type HttpAppDeps } from './http-app.js';
import { listen, type RunningServer } from '../http/server.js';
import { inheritedSocket } from './inherited-socket.js';
import { readServerTls } from './server-tls.js';
import { openWorkers, type WorkersInput } from './cluster/open-workers.js';

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
