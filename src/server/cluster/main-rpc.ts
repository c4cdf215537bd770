import type { AuditTrail } from '../../core/audit-trail.js';
import { Problem } from '../../core/problem.js';
import { Secret } from '../../core/secret.js';
import type { HttpApp } from '../http-app.js';
import type { ConfigReloader } from '../reload/config-reloader.js';
import type { OpenLog } from '../../telemetry/log/open-log.js';
import type { SnapshotHolder } from '../reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../reload/active-snapshot.js';
import type { Attempt, MainRpc, UpgradeDecision } from './protocol.js';
import type { WorkerMode } from './worker-mode.js';
import type { WorkerStats } from './adapter-stats.js';

/** What the main process does for one worker. */
export function createMainRpc(
  { audit, relay, app, current, reloader, workerMode }: MainRpcDeps,
  teller: Pick<WorkerStats, 'note'>,
): MainRpc {
  const { changes } = workerMode;
  return {
    async deliver({ records = [], answered = [], turnedAway = [], lines = [] }) {
      for (const line of lines) relay(line);
      for (const one of answered) app.measure(one);
      for (const strain of turnedAway) app.noteTurnedAway(strain);
      await Promise.all(records.map((record) => audit.append(record)));
    },
    isAuditWritable: async () => audit.writable(),
    logIn: (attempt) => logIn(attempt, current),
    async renew(adapter) {
      const instance = current.current().adapters.get(adapter);
      if (instance) await reloader.renew(instance);
      await changes.whenPropagated();
    },
    note: teller.note,
  };
}

/** What workers may have done by the main process. */
export interface MainRpcDeps {
  readonly workerMode: Pick<WorkerMode, 'changes'>;
  readonly app: Pick<HttpApp, 'measure' | 'noteTurnedAway'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloader: Pick<ConfigReloader, 'renew'>;
  readonly audit: AuditTrail;
  readonly relay: OpenLog['relay'];
}

/** A Problem is told as an answer: it has more to say than its words. */
async function logIn(
  { password, ...who }: Attempt,
  current: MainRpcDeps['current'],
): Promise<UpgradeDecision> {
  try {
    const attempt = { ...who, password: new Secret(password) };
    return { account: await current.lease(({ logins }) => logins.logIn(attempt)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message: detail, extras } = error;
    return { code, detail, headers: extras.headers, outcome: extras.outcome };
  }
}
