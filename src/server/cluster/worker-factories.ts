import { availableParallelism } from 'node:os';
import { type LocalIssuer, openLocalIssuer } from '../../auth/local-issuer.js';
import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import type { Log } from '../../core/log.js';
import type { LoginAttempt, Logins } from '../../core/login.js';
import { Problem } from '../../core/problem.js';
import type { Redactor } from '../../core/secret.js';
import type { RequestTracer } from '../../core/trace.js';
import type { CacheChanges } from '../../features/cache/cache-changes.js';
import { valueAt } from '../../json/pointer.js';
import { systemScheduler as clock } from '../../lib/clock.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { ServerSettings } from '../../settings/settings.js';
import { createAdapterFactories } from '../adapter-factories.js';
import type { AdapterFactories } from '../state/factories.js';
import type { ActiveSnapshot } from '../state/snapshot.js';
import type { SnapshotHolder } from '../state/swap.js';
import type { MainRpc, WorkerInit } from './protocol.js';
import type { RpcChannel } from './rpc.js';

interface WorkerFactoriesInput {
  readonly init: WorkerInit;
  readonly rpc: RpcChannel<MainRpc>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly revokedTokens: RevokedTokens;
  readonly tracer: RequestTracer;
  /** Changes at orchestrators, which remove replies from caches. */
  readonly changes: CacheChanges;
}

/**
 * Creates the adapter factories of a call worker. They differ from those of the main process in three points: the main
 * process checks and counts logins, only the main process probes orchestrators, and adapters have a share of their limits.
 */
export async function openWorkerFactories(input: WorkerFactoriesInput): Promise<AdapterFactories> {
  const { init, rpc, log, redactor, revokedTokens, tracer, changes } = input;
  const { server, processes } = init;
  const local = await openLocal(init);
  const { drainSeconds } = server;
  const factories = createAdapterFactories({
    clock,
    log,
    redactor,
    revokedTokens,
    tracer,
    drainSeconds,
    isCallWorker: true,
    cache: { maxBytes: server.limits.cacheBytes, changes },
    adapterStarts: adapterStartsOf(server, processes),
    ...(local && { local }),
  });
  return {
    ...factories,
    openLogins(settings) {
      const opened = factories.openLogins(settings);
      return 'faults' in opened
        ? opened
        : { value: { ...opened.value, logIn: (attempt) => logIn(attempt, rpc) } };
    },
    openUpstream(settings, ...rest) {
      const health = { ...settings.health, type: 'none', path: null } as const;
      return factories.openUpstream(shareOf({ ...settings, health }, processes), ...rest);
    },
  };
}

async function openLocal({ local }: WorkerInit): Promise<LocalIssuer | undefined> {
  if (!local) return undefined;
  const { keyFile, tokenTtlSeconds } = local;
  return openLocalIssuer({ keyFile, tokenTtlSeconds, clock, createKey: false });
}

/** Logs in at the main process. Throws its Problem. */
async function logIn(
  { name, password, address, kinds }: LoginAttempt,
  rpc: RpcChannel<MainRpc>,
): ReturnType<Logins['logIn']> {
  const result = await rpc.ask('logIn', { name, password: password.reveal(), address, kinds });
  if ('account' in result) return result.account;
  const { code, detail, headers, outcome } = result;
  throw new Problem(code, detail, {
    ...(headers && { headers }),
    ...(outcome !== undefined && { outcome }),
  });
}

/**
 * Returns the number of adapters that may start at the same time in one of the processes of this server, if their start
 * takes processor time.
 */
export function adapterStartsOf(
  { adapterStarts }: Pick<ServerSettings, 'adapterStarts'>,
  processes: number,
): number {
  const starts = adapterStarts === 'auto' ? availableParallelism() : adapterStarts;
  return Math.max(1, Math.floor(starts / processes));
}

/**
 * Returns the settings of an adapter with an equal share of its limits, so that all processes together never exceed the
 * limits of the operator. An adapter with fewer concurrent calls than processes is not divided.
 */
export function shareOf(settings: AdapterSettings, processes: number): AdapterSettings {
  const { queue } = settings;
  if (queue.concurrent < processes) return settings;
  const part = (limit: number): number => Math.floor(limit / processes);
  return {
    ...settings,
    queue: { ...queue, concurrent: part(queue.concurrent), waiting: part(queue.waiting) },
  };
}

/**
 * Returns the ids of the adapters with fewer concurrent calls than processes. Only the main process sends calls to them.
 */
export function undividedAdapters(
  { written }: Pick<ActiveSnapshot, 'written'>,
  processes: number,
): readonly string[] {
  return [...written].flatMap(([id, value]) =>
    Number(valueAt(value, '/queue/concurrent')) < processes ? [id] : [],
  );
}

/** Returns true if a request target may name one of these adapters, also if the target is percent-encoded. */
export function mayTarget(url: string, adapters: readonly string[]): boolean {
  return adapters.length > 0 && (url.includes('%') || adapters.some((id) => url.includes(`/${id}`)));
}

/** Creates the check for calls that only the main process serves: calls to adapters whose limits cannot be divided. */
export function createIsForMain(
  current: SnapshotHolder<ActiveSnapshot>,
  processes: number,
): (url: string) => boolean {
  let undividedIds = undividedAdapters(current.current(), processes);
  current.onSwap(() => {
    undividedIds = undividedAdapters(current.current(), processes);
  });
  return (url) => mayTarget(url, undividedIds);
}
