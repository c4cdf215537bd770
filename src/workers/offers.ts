import type { AuditTrail } from '../domain/audit-trail.js';
import { Problem } from '../domain/problem.js';
import { Secret } from '../domain/secret.js';
import type { Doors } from '../doors.js';
import type { KeptCurrent } from '../keep-current.js';
import type { OpenLog } from '../log/open-log.js';
import type { Current } from '../runtime/current.js';
import type { LiveSnapshot } from '../runtime/live-snapshot.js';
import type { Attempt, MainOffers, Verdict } from './messages.js';
import type { WorkerBasis } from './prepare-workers.js';
import type { Teller } from './standings.js';

/** What the main process does for one worker. */
export function createOffers(
  { audit, relay, doors, current, reloading, basis }: OffersInput,
  teller: Pick<Teller, 'note'>,
): MainOffers {
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
      const instance = current.peek().adapters.get(adapter);
      if (instance) await reloading.renew(instance);
      await news.heardOf();
    },
    note: teller.note,
  };
}

/** What workers may have done by the main process. */
export interface OffersInput {
  readonly basis: Pick<WorkerBasis, 'news'>;
  readonly doors: Pick<Doors, 'measure' | 'noteTurnedAway'>;
  readonly current: Current<LiveSnapshot>;
  readonly reloading: Pick<KeptCurrent, 'renew'>;
  readonly audit: AuditTrail;
  readonly relay: OpenLog['relay'];
}

/** A Problem is told as an answer: it has more to say than its words. */
async function logIn({ password, ...who }: Attempt, current: OffersInput['current']): Promise<Verdict> {
  try {
    const attempt = { ...who, password: new Secret(password) };
    return { account: await current.lease(({ logins }) => logins.logIn(attempt)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message: detail, extras } = error;
    return { code, detail, headers: extras.headers, outcome: extras.outcome };
  }
}
