import type { Adapter } from '../domain/adapter.js';
import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import { Problem } from '../domain/problem.js';
import type { AdapterInstance, AdapterState } from '../domain/snapshot.js';
import type { Upstream } from '../domain/upstream.js';

/** How long one start may take, in milliseconds. */
const START_MS = 15_000;
/** How long one stop may take, in milliseconds. */
const STOP_MS = 5_000;
/** A start that failed is not tried again sooner than this, however many calls come. */
const RETRY_MS = 1_000;

interface Parts {
  readonly id: string;
  readonly type: string;
  readonly adapter: Adapter;
  readonly upstream: Upstream;
  readonly log: Log;
  readonly clock: Clock;
}

/** An adapter that serves, once its start has succeeded; every call to one that has not started tries again. */
export function createInstance(parts: Parts): AdapterInstance {
  const { id, type, adapter, upstream, log } = parts;
  const work = { adapter, upstream };
  const starter = adapter.start ? createStarter(parts, adapter.start.bind(adapter)) : undefined;
  return {
    id,
    type,
    state: () => ({ name: !starter || starter.started() ? 'RUNNING' : 'STARTING' }),
    async ready() {
      await starter?.start();
      return work;
    },
    async close() {
      try {
        if (adapter.stop) await within(STOP_MS, adapter.stop.bind(adapter));
      } catch (error) {
        log.warn('the plugin failed to stop its adapter', { error });
      } finally {
        await upstream.close();
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
    ready: () => Promise.reject(refusal(id, state)),
    close: () => Promise.resolve(),
  };
}

function refusal(id: string, state: AdapterState): Problem {
  if (state.name !== 'DEAD') return new Problem('adapter_unavailable', `the adapter "${id}" is stopped`);
  const code = state.cause === 'secret' ? 'adapter_secret_unavailable' : 'adapter_unavailable';
  return new Problem(code, `the adapter "${id}" is dead: ${state.reason}`);
}

interface Starter {
  started(): boolean;
  /** Throws `adapter_unavailable` with the reason. */
  start(): Promise<void>;
}

function createStarter({ id, log, clock }: Parts, start: (signal: AbortSignal) => Promise<void>): Starter {
  let started = false;
  let running: Promise<void> | undefined;
  let failure: { readonly at: number; readonly problem: Problem } | undefined;
  async function attempt(): Promise<void> {
    try {
      await within(START_MS, start);
      started = true;
      log.info('adapter started');
    } catch (cause) {
      const reason = cause instanceof Problem ? cause.message : 'its start failed';
      const problem = new Problem('adapter_unavailable', `the adapter "${id}" has not started: ${reason}`, {
        cause,
      });
      failure = { at: clock.now(), problem };
      log.warn('adapter start failed', { error: cause });
      throw problem;
    } finally {
      running = undefined;
    }
  }
  return {
    started: () => started,
    async start() {
      if (started) return;
      if (failure && clock.now() - failure.at < RETRY_MS) throw failure.problem;
      running ??= attempt();
      await running;
    },
  };
}

/** A plugin that ignores its signal must not hold its callers. */
async function within(ms: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Problem('upstream_timeout', `it took longer than ${ms / 1000} s`));
    });
  });
  await Promise.race([work(signal), late]);
}
