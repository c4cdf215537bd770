import type { Adapter } from '../core/adapter.js';
import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import type { AdapterInstance, AdapterState } from '../core/snapshot.js';
import type { Upstream } from '../core/upstream.js';
import { noteConnection } from './connection-state.js';
import { ownConnection } from './plugin-transport.js';
import { createStarter } from './starter.js';
import { startHealthProbe } from './health-probe.js';
import { runWithTimeout } from './run-within.js';

/** How long one stop may take, and the end of a start before it, in milliseconds. */
const STOP_MS = 5_000;
/** How long one probe may take, in milliseconds. */
const PROBE_MS = 15_000;

interface AdapterParts {
  readonly id: string;
  readonly type: string;
  readonly adapter: Adapter;
  readonly upstream: Upstream;
  readonly health: AdapterSettings['health'];
  readonly log: Log;
  readonly scheduler: Scheduler;
}

/** An adapter that serves, once its start has succeeded; until then every call tries again. */
export function createInstance(parts: AdapterParts): AdapterInstance {
  const { id, type, adapter, health, log, scheduler } = parts;
  const own = ownConnection(adapter);
  const { state: connection, upstream } = own
    ? { state: own, upstream: parts.upstream }
    : noteConnection(parts.upstream, scheduler, log);
  const closing = new AbortController();
  const starter = createStarter({
    id,
    log,
    clock: scheduler,
    closing: closing.signal,
    start: adapter.start?.bind(adapter),
  });
  const ask = upstream.probe?.bind(upstream);
  const probe = ask && (() => runWithTimeout(PROBE_MS, ask, closing.signal));
  const signs = startHealthProbe({ starter, health, probe, scheduler });
  const work = { adapter, upstream };
  let ending: 'STOPPING' | 'STOPPED' | undefined;
  return {
    id,
    type,
    state: () => ({ name: ending ?? (starter.started() ? 'RUNNING' : 'STARTING') }),
    since: () => (ending ? undefined : starter.startedAt()),
    connection,
    ...(upstream.status && { upstreamStatus: upstream.status }),
    open: signs.open,
    async ready() {
      await starter.start();
      return work;
    },
    async close() {
      signs.close();
      ending = 'STOPPING';
      closing.abort();
      // What a start opens after the stop, nobody would close.
      await runWithTimeout(STOP_MS, () => starter.settled()).catch(() => undefined);
      try {
        if (adapter.stop) await runWithTimeout(STOP_MS, adapter.stop.bind(adapter));
      } catch (error) {
        log.warn('the plugin failed to stop its adapter', { error });
      } finally {
        await upstream.close();
        ending = 'STOPPED';
      }
    },
  };
}

/** An adapter that does not serve: every call is answered with the reason. */
export function createIdleInstance(id: string, type: string, state: AdapterState): AdapterInstance {
  return {
    id,
    type,
    state: () => state,
    since: () => undefined,
    connection: () => ({ state: 'UNKNOWN', since: 0 }),
    open: () => Promise.reject(notRunningProblem(id, state)),
    ready: () => Promise.reject(notRunningProblem(id, state)),
    close: () => Promise.resolve(),
  };
}

function notRunningProblem(id: string, state: AdapterState): Problem {
  if (state.name !== 'DEAD') return new Problem('adapter_unavailable', `the adapter "${id}" is stopped`);
  const code = state.cause === 'secret' ? 'adapter_secret_unavailable' : 'adapter_unavailable';
  return new Problem(code, `the adapter "${id}" is dead: ${state.reason}`);
}
