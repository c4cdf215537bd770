import { setTimeout as pause } from 'node:timers/promises';
import { flood as endlessReply, startHostileUpstream } from '../../test/support/hostile-upstream.js';
import { openCostlyUpstream } from '../costly-replies.js';
import { ask, countStatuses, type Reply, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import type { Target } from './target.js';

// F2: calls of an engineer to an upstream whose replies grow a thousandfold when they are read.

const BETWEEN_CALLS_MS = 300;
/** Time after its start in which gatehouse has collected the garbage of the start, once. */
const COLLECTION_MS = 12_000;
const LARGEST = 'control characters';
/** Calls to an upstream whose replies do not end, how long they wait, and the memory that they may take. */
const ENDLESS = 2;
const ENDLESS_PATIENCE_MS = 10_000;
const MOST_GROWTH_MB = 256;

/** Makes one restCall with the token of an engineer. A reply with a coding that the caller has not asked for is refused. */
export function callUri(target: Target, uri: string, patienceMs?: number): Promise<Reply> {
  const headers = { 'accept-encoding': 'gzip, deflate, br' };
  const body = { uri, verb: 'GET', headers, responseHeaders: true };
  const request = { method: 'POST', path: '/tools/restCall', token: target.engineerToken, body };
  return ask(target, { ...request, ...(patienceMs !== undefined && { patienceMs }) });
}

async function callTogether(target: Target, count: number): Promise<Run> {
  const { urls, close } = await openCostlyUpstream();
  const replies = await Promise.all(
    Array.from({ length: count }, () => callUri(target, urls[LARGEST] ?? '')),
  );
  close();
  const statuses = replies.map(({ status }) => status);
  return {
    figures: {
      calls: count,
      statuses: countStatuses(statuses),
      largestAnswerMb: Math.round(Math.max(...replies.map(({ bytes }) => bytes)) / 1_048_576),
      longestMs: Math.round(Math.max(...replies.map(({ ms }) => ms))),
    },
    wrong: wrongStatuses(statuses, { needed: [200], expected: [429, 503] }),
  };
}

async function callOneByOne(target: Target): Promise<Run> {
  const { urls, close } = await openCostlyUpstream();
  const answers: Record<string, { readonly status: number; readonly ms: number }> = {};
  for (const [name, url] of Object.entries(urls)) {
    const { status, ms } = await callUri(target, url);
    answers[name] = { status, ms: Math.round(ms) };
    await pause(BETWEEN_CALLS_MS);
  }
  close();
  const statuses = Object.values(answers).map(({ status }) => status);
  return { figures: { answers }, wrong: wrongStatuses(statuses, { needed: [200] }) };
}

/** Makes a call whose reply is short, because the first call compiles the schema of its body, and waits for the collection. */
export async function warmUp(target: Target): Promise<void> {
  const { urls, close } = await openCostlyUpstream();
  await callUri(target, `${urls[LARGEST] ?? ''}/unknown`);
  close();
  await pause(COLLECTION_MS);
}

async function callEndless(target: Target): Promise<Run> {
  const before = target.memory().leftMb;
  const body = endlessReply('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(1_048_576, 'a'));
  const upstream = await startHostileUpstream([body]);
  const calls = Array.from({ length: ENDLESS }, () =>
    callUri(target, `${upstream.origin}/`, ENDLESS_PATIENCE_MS),
  );
  const replies = await Promise.all(calls);
  await upstream.close();
  const growthMb = Math.max(0, target.memory().peakMb - before);
  const statuses = countStatuses(replies.map(({ status }) => status));
  const areRefused = replies.every(({ text }) => text.includes('"upstream_too_large"'));
  return {
    figures: { calls: ENDLESS, statuses, growthMb },
    wrong: [
      ...(areRefused ? [] : ['a reply without an end is not refused as too large']),
      ...(growthMb > MOST_GROWTH_MB ? [`memory grew by ${growthMb} MB, more than ${MOST_GROWTH_MB} MB`] : []),
    ],
  };
}

const together =
  (count: number) =>
  (target: Target, options: FloodOptions): Promise<Run> =>
    callTogether(target, partOf(count, options));

/** Calls with replies of 10 MiB. */
export const REST_CALL_FLOODS: Readonly<Record<string, Flood>> = {
  'rest-calls-10': {
    finding: 'F2',
    says: '10 restCalls at a time, each with a reply of 10 MiB of control characters from 10 kB of gzip',
    run: together(10),
  },
  'rest-calls-40': { finding: 'F2', says: '40 of them at a time', run: together(40) },
  'rest-calls-1': {
    finding: 'F2',
    says: 'one restCall at a time, with each kind of costly reply',
    warmUp,
    run: callOneByOne,
    judgesStops: true,
  },
  'endless-replies': {
    finding: 'F2',
    says: 'two restCalls to an upstream whose replies do not end: they are refused at the limit',
    run: callEndless,
  },
};
