import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import { type LocalIssuer, openLocalIssuer } from '../../auth/local-issuer.js';
import { systemScheduler as clock } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { LoginAttempt, Logins } from '../../core/login.js';
import { Problem } from '../../core/problem.js';
import type { Redactor } from '../../core/redactor.js';
import type { RequestTracer } from '../../core/trace.js';
import { createAdapterFactories } from '../adapter-factories.js';
import type { AdapterFactories } from '../../adapters/factories.js';
import type { RpcChannel } from './rpc.js';
import type { WorkerInit, MainRpc } from './protocol.js';
import { shareOf } from './concurrency-share.js';

interface WorkerFactoriesInput {
  readonly init: WorkerInit;
  readonly rpc: RpcChannel<MainRpc>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly ended: RevokedTokens;
  readonly tracer: RequestTracer;
}

/**
 * The rooms of a call worker: the main process alone looks at passwords, which it counts, and asks orchestrators how they are;
 * of the places of an adapter there is a part.
 */
export async function openWorkerFactories(input: WorkerFactoriesInput): Promise<AdapterFactories> {
  const { init, rpc, log, redactor, ended, tracer } = input;
  const { server, processes } = init;
  const local = await openLocal(init);
  const { drainSeconds } = server;
  const factories = createAdapterFactories({
    clock,
    log,
    redactor,
    ended,
    tracer,
    drainSeconds,
    ...(local && { local }),
  });
  return {
    ...factories,
    openLogins(settings) {
      const opened = factories.openLogins(settings);
      return 'faults' in opened
        ? opened
        : { value: { ...opened.value, logIn: (asked) => logIn(asked, rpc) } };
    },
    openUpstream(settings, own) {
      const health = { ...settings.health, path: null };
      return factories.openUpstream(shareOf({ ...settings, health }, processes), own);
    },
  };
}

async function openLocal({ local }: WorkerInit): Promise<LocalIssuer | undefined> {
  return local && openLocalIssuer({ ...local, clock, createKey: false });
}

async function logIn(
  { name, password, address, kinds }: LoginAttempt,
  rpc: RpcChannel<MainRpc>,
): ReturnType<Logins['logIn']> {
  const verdict = await rpc.ask('logIn', { name, password: password.reveal(), address, kinds });
  if ('account' in verdict) return verdict.account;
  const { code, detail, headers, outcome } = verdict;
  throw new Problem(code, detail, {
    ...(headers && { headers }),
    ...(outcome !== undefined && { outcome }),
  });
}
