import { ask, basic, countStatuses } from './ask.js';
import type { Flood, Run } from './flood.js';
import { CLIENT, type Target } from './target.js';

// F9, F10: attempts of a stranger do not lock other callers out.

const ATTEMPTS = 10;
/** A reverse proxy: everybody comes from its address. */
const PROXY = '127.1.0.9';
const STRANGER = '127.1.0.10';
const SCRIPT = '127.2.0.10';

async function pasteJunk(target: Target): Promise<Run> {
  const paste = async (token: string): Promise<number> => {
    const headers = { 'x-gatehouse-csrf': '1' };
    const request = { method: 'POST', path: '/console/session', headers, body: { token }, from: PROXY };
    return (await ask(target, request)).status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < ATTEMPTS; at += 1) statuses.push(await paste('aaa.bbb.ccc'));
  const good = await paste(target.adminToken);
  return {
    figures: { statuses: countStatuses(statuses), good },
    wrong: good === 200 ? [] : [`a good token from the same address got ${good}`],
  };
}

async function guessPasswords(target: Target): Promise<Run> {
  const call = async (password: string, from: string): Promise<number> => {
    const request = { method: 'GET', path: '/whoami', headers: basic(CLIENT.name, password), from };
    return (await ask(target, request)).status;
  };
  const before = await call(CLIENT.password, SCRIPT);
  const statuses: number[] = [];
  for (let at = 0; at < ATTEMPTS; at += 1) statuses.push(await call(`wrong-${at}`, STRANGER));
  const after = await call(CLIENT.password, SCRIPT);
  const { status: token } = await ask(target, {
    method: 'POST',
    path: '/oauth/token',
    headers: { ...basic(CLIENT.name, CLIENT.password), 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    from: SCRIPT,
  });
  return {
    figures: { before, statuses: countStatuses(statuses), after, token },
    wrong: [
      ...(after === 200 ? [] : [`a call with the right password got ${after}`]),
      ...(token === 200 ? [] : [`a request for a token with the right secret got ${token}`]),
    ],
  };
}

/** Wrong tokens and passwords. */
export const ATTEMPT_FLOODS: Readonly<Record<string, Flood>> = {
  'junk-tokens': {
    finding: 'F9',
    says: 'ten junk tokens of one address: a good token of that address is taken',
    run: pasteJunk,
  },
  'wrong-passwords': {
    finding: 'F10',
    says: 'ten wrong passwords for a client that calls with Basic: its own calls go on',
    run: guessPasswords,
  },
};
