import { Agent } from 'node:http';
import { ask, countStatuses, repeat, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import type { Target } from './target.js';

// F5: requests of strangers leave few records in the audit trail, and records of others do not drown.

const SIGN_OUTS = 13_000;
const LOGINS = 500;
const CALLERS = 32;
const MOST_MS = 60_000;
const STRANGER = '127.1.0.5';
/**
 * Fraction of requests for which unknown clients may cause records. Each failed login is recorded until the login throttle refuses
 * the address; the 50 logins of the short run do not reach that limit, so some records are allowed in any case.
 */
const MOST_PART = 0.02;
const MOST_IN_ANY_CASE = 60;
/** Records of the observer: its calls and logins. */
const OWN_RECORDS_PER_SECOND = 5;

async function fillTrail(target: Target, options: FloodOptions): Promise<Run> {
  const [before, begun] = [target.auditRecords(), performance.now()];
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const [signOuts, logins]: [number[], number[]] = [[], []];
  const send = async (statuses: number[], request: Parameters<typeof ask>[1]): Promise<boolean> => {
    statuses.push((await ask(target, { ...request, from: STRANGER, agent })).status);
    return target.isAlive();
  };
  await repeat({ callers: CALLERS, count: partOf(SIGN_OUTS, options), mostMs: MOST_MS }, () =>
    send(signOuts, { method: 'DELETE', path: '/console/session' }),
  );
  await repeat({ callers: 4, count: partOf(LOGINS, options), mostMs: MOST_MS }, (at) =>
    send(logins, { method: 'POST', path: '/login', body: { username: `nobody-${at}`, password: 'wrong' } }),
  );
  agent.destroy();
  const statuses = [...signOuts, ...logins];
  return {
    figures: { requests: statuses.length, statuses: countStatuses(statuses) },
    wrong: [
      ...wrongStatuses(signOuts, { needed: [200], expected: [429] }),
      ...wrongStatuses(logins, { needed: [401], expected: [429] }),
    ],
    later: async () => {
      const form = `a form after ${statuses.length} requests`;
      const body = { name: form, schema: { type: 'object' } };
      const path = '/json-forms/forms';
      const change = await ask(target, { method: 'POST', path, token: target.adminToken, body });
      const ownRecords = ((performance.now() - begun) / 1_000) * OWN_RECORDS_PER_SECOND;
      const records = target.auditRecords() - before;
      const most = Math.max(MOST_IN_ANY_CASE, statuses.length * MOST_PART) + ownRecords;
      return {
        figures: { auditRecords: records, mostAuditRecords: Math.round(most), change: change.status },
        wrong: [
          ...(records > most ? [`${records} records, more than ${Math.round(most)}`] : []),
          ...(change.status === 200 ? [] : [`a change got ${change.status}`]),
        ],
      };
    },
  };
}

/** Audited requests that ask for no token. */
export const RECORD_FLOODS: Readonly<Record<string, Flood>> = {
  'anonymous-records': {
    finding: 'F5',
    says: '13,000 anonymous sign-outs and 500 failing logins leave few records in the audit trail',
    run: fillTrail,
  },
};
