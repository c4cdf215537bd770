import type { AuditTrail } from '../domain/audit-trail.js';
import { Problem } from '../domain/problem.js';
import { Secret } from '../domain/secret.js';
import type { HttpApp } from '../doors.js';
import type { ConfigReloader } from '../keep-current.js';
import type { OpenLog } from '../log/open-log.js';
import type { SnapshotHolder } from '../runtime/current.js';
import type { ActiveSnapshot } from '../runtime/live-snapshot.js';
import type { Attempt, MainRpc, UpgradeDecision } from './messages.js';
import type { WorkerMode } from './prepare-workers.js';
import type { WorkerStats } from './standings.js';

/** What the main process does for one worker. */
export function createMainRpc(
  { audit, relay, doors, current, reloading, basis }: MainRpcDeps,
  teller: Pick<WorkerStats, 'note'>,
): MainRpc {
  const { news } = basis;
  return {
    async deliver({ records = [], answered = [], turnedAway = [], lines = [] }) {
      for (const line of lines) relay(line);
      for (const one of answered) doors.measure(one);
      for (const strain of turnedAway) doors.noteTurnedAway(strain);
      await Promise.all(records.map((record) => audit.append(record)));
    },
    isAuditWritable: async () => audit.writable(),
    logIn: (attempt) => logIn(attempt, current),
    async renew(adapter) {
      const instance = current.current().adapters.get(adapter);
      if (instance) await reloading.renew(instance);
      await news.whenPropagated();
    },
    note: teller.note,
  };
}

/** What workers may have done by the main process. */
export interface MainRpcDeps {
  readonly basis: Pick<WorkerMode, 'news'>;
  readonly doors: Pick<HttpApp, 'measure' | 'noteTurnedAway'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloading: Pick<ConfigReloader, 'renew'>;
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
