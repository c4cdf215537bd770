import type { TestIssuer } from '../../test/support/tokens.js';
import { type Contender, TOKENS } from './contender.js';
import { requestOf } from './endpoint.js';
import type { Job } from './job.js';
import { type Call, HANG, type Profile } from './profiles.js';

/** Seconds that a token of the bench is valid. */
const VALID_SECONDS = 6 * 3600;

/** Requests with tokens in them. */
export interface Requests {
  /** Returns the job of the load generator for a profile and a contender. */
  jobOf(
    contender: Contender,
    profile: Profile,
  ): Pick<Job, 'shots' | 'expected' | 'connections' | 'unknownCaller'>;
  /** Returns a request that gets no reply. */
  hanging(contender: Contender): string;
}

/** Prepares requests with tokens of this issuer; each profile and contender gets the same tokens. */
export function prepareRequests(issuer: TestIssuer): Requests {
  const tokens: string[] = [];
  const tokenOf = (at: number): string => (tokens[at] ??= sign(issuer, `caller-${at}`, TOKENS.role));
  const strange = sign(issuer, 'stranger', 'engineering');
  return {
    jobOf({ endpoint, checksRoles }, { calls, callers, connections }) {
      const shots = Array.from({ length: Math.max(calls.length, callers) }, (_, at) => ({
        request: requestOf(endpoint, callAt(calls, at), tokenOf(at % callers)),
        expected: at % calls.length,
      }));
      const unknownCaller = checksRoles && requestOf(endpoint, callAt(calls, 0), strange);
      return {
        shots,
        expected: calls.map((call) => endpoint.expect(call)),
        connections,
        ...(unknownCaller !== false && { unknownCaller }),
      };
    },
    hanging: ({ endpoint }) => requestOf(endpoint, { operation: 'action', path: HANG.path }, tokenOf(0)),
  };
}

function callAt(calls: readonly Call[], at: number): Call {
  const call = calls[at % calls.length];
  if (!call) throw new Error('a profile without calls');
  return call;
}

function sign(issuer: TestIssuer, sub: string, role: string): string {
  return issuer.sign({ sub, roles: [role], exp: Math.floor(Date.now() / 1000) + VALID_SECONDS });
}
