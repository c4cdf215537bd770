import { Agent } from 'node:http';
import { ask, basic, countStatuses, repeat, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import { CLIENT, type Target, USER } from './target.js';

// F4: a token that was signed out stays refused, however many others are signed out after it.

const SIGN_OUTS = 100_001;
const CALLERS = 8;
const MOST_MS = 900_000;
/** Number of refused requests in a row that ends the flood: the server limits the rate. */
const MOST_REFUSALS = 2_000;
/** Part of refused requests from which on the server limits the rate, so that the flood may fall short. */
const LEAST_REFUSED = 0.1;
const ENGINEER_ADDRESS = '127.1.0.4';

async function signOutOthers(target: Target, options: FloodOptions): Promise<Run> {
  const signedOut = await signIn(target);
  const valid = await statusOf(target, signedOut);
  await signOut(target, signedOut);
  const before = await statusOf(target, signedOut);
  const auditBefore = target.auditRecords();
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  let [ended, refusals] = [0, 0];
  const statuses: number[] = [];
  const requestToken = async (): Promise<string | undefined> => {
    const { status, text } = await ask(target, {
      method: 'POST',
      path: '/oauth/token',
      headers: {
        ...basic(CLIENT.name, CLIENT.password),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
      from: ENGINEER_ADDRESS,
      agent,
    });
    statuses.push(status);
    return status === 200 ? (JSON.parse(text) as { readonly access_token: string }).access_token : undefined;
  };
  const endTwo = async (): Promise<boolean> => {
    const tokens = [await requestToken(), await requestToken()].filter((token) => token !== undefined);
    const cookie = tokens.map((token) => `token=${token}`).join('; ');
    const headers = { cookie, 'x-gatehouse-csrf': '1' };
    const path = '/console/session';
    const { status } = await ask(target, { method: 'DELETE', path, headers, from: ENGINEER_ADDRESS, agent });
    statuses.push(status);
    const isEnded = status === 200 && tokens.length > 0;
    ended += isEnded ? tokens.length : 0;
    refusals = isEnded ? 0 : refusals + 1;
    return refusals < MOST_REFUSALS && target.isAlive();
  };
  const count = Math.ceil(partOf(SIGN_OUTS, options) / 2);
  await repeat({ callers: CALLERS, count, mostMs: MOST_MS }, endTwo);
  agent.destroy();
  const refused = statuses.filter((status) => status !== 200).length / statuses.length;
  const isShort = ended < 2 * count && refused < LEAST_REFUSED;
  return {
    figures: { signOuts: ended, statuses: countStatuses(statuses) },
    wrong: [
      ...(valid === 200 ? [] : [`the token got ${valid} before it was signed out`]),
      ...wrongStatuses(statuses, { needed: [200], expected: [429] }),
      ...(isShort || ended === 0
        ? [`only ${ended} sign-outs in time: try again on a machine with less load`]
        : []),
    ],
    later: async () => {
      const after = await statusOf(target, signedOut);
      const figures = { before, after, auditRecords: target.auditRecords() - auditBefore };
      const wrong = [
        ...(before === 401 ? [] : [`the signed-out token got ${before} before the flood`]),
        ...(after === 401 ? [] : [`the signed-out token got ${after} after the flood`]),
      ];
      return { figures, wrong };
    },
  };
}

async function signIn(target: Target): Promise<string> {
  const body = { username: USER.name, password: USER.password };
  return (await ask(target, { method: 'POST', path: '/login', body })).text;
}

async function signOut(target: Target, token: string): Promise<void> {
  const headers = { cookie: `token=${token}`, 'x-gatehouse-csrf': '1' };
  await ask(target, { method: 'DELETE', path: '/console/session', headers });
}

async function statusOf(target: Target, token: string): Promise<number> {
  return (await ask(target, { method: 'GET', path: '/whoami', token })).status;
}

/** Sign-outs of one client. */
export const SIGN_OUT_FLOODS: Readonly<Record<string, Flood>> = {
  'sign-outs': {
    finding: 'F4',
    says: 'one client signs up to 100,001 tokens out, until that is refused: a token that was signed out before stays refused',
    run: signOutOthers,
  },
};
