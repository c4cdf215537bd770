import { setTimeout as pause } from 'node:timers/promises';
import { ask, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import { warmUp } from './rest-calls.js';
import { holdSockets } from './sockets.js';
import type { Target } from './target.js';

// F1: bodies for operations that ask for no token.

const BODY_BYTES = 1_048_576;
const STRANGER = '127.1.0.1';
/**
 * The server may keep so much of what strangers have sent, in megabytes, before it has answered them: half of
 * it, within these limits.
 */
const [LEAST_GROWTH_MB, MOST_GROWTH_MB] = [128, 256];

/** All of a body but its last byte. */
const UNFINISHED = [
  Buffer.from(
    `POST /login HTTP/1.1\r\nHost: gatehouse\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`,
  ),
  Buffer.alloc(BODY_BYTES - 1, 'a'),
];

interface Unfinished {
  readonly count: number;
  readonly holdMs: number;
}

async function sendUnfinished(
  target: Target,
  { count, holdMs }: Unfinished,
  options: FloodOptions,
): Promise<Run> {
  const before = target.memory().leftMb;
  const sent = partOf(count, options);
  const sockets = await holdSockets(target, { count: sent, bytes: UNFINISHED, from: STRANGER });
  await pause(partOf(holdMs, options));
  const [opened, held] = [sockets.opened(), sockets.held()];
  sockets.close();
  const growthMb = Math.max(0, target.memory().peakMb - before);
  const most = Math.min(MOST_GROWTH_MB, Math.max(LEAST_GROWTH_MB, sent / 2));
  return {
    figures: { connections: opened, held, growthMb },
    wrong: [
      ...(opened < sent ? [`only ${opened} of ${sent} connections were opened`] : []),
      ...(growthMb > most ? [`memory grew by ${growthMb} MB, more than ${most} MB`] : []),
    ],
  };
}

function jsonOf(count: number, item: (at: number) => string, [open, close] = ['[', ']']): string {
  return `${open}${Array.from({ length: count }, (_, at) => item(at)).join(',')}${close}`;
}

/** Bodies of a mebibyte at most that are costly to read. */
const COSTLY: Readonly<
  Record<string, { readonly path: string; readonly type: string; readonly text: () => string }>
> = {
  'form fields': {
    path: '/oauth/token',
    type: 'application/x-www-form-urlencoded',
    text: () => Array.from({ length: 150_000 }, (_, at) => `${at.toString(36)}=`).join('&'),
  },
  'empty objects': {
    path: '/login',
    type: 'application/json',
    text: () => jsonOf(340_000, () => '{}'),
  },
  keys: {
    path: '/login',
    type: 'application/json',
    text: () => jsonOf(100_000, (at) => `"${at.toString(36)}":1`, ['{', '}']),
  },
  numbers: { path: '/login', type: 'application/json', text: () => jsonOf(255_000, () => '1e1') },
};

const ROUNDS = 3;
const BETWEEN_BODIES_MS = 200;

async function sendCostly(target: Target, options: FloodOptions): Promise<Run> {
  const answers: Record<string, { readonly status: number; readonly ms: number }> = {};
  for (const [name, { path, type, text }] of Object.entries(COSTLY)) {
    const body = text();
    for (let round = partOf(ROUNDS, options); round > 0; round -= 1) {
      const headers = { 'content-type': type };
      const { status, ms } = await ask(target, { method: 'POST', path, headers, body, from: STRANGER });
      answers[name] = { status, ms: Math.round(ms) };
      await pause(BETWEEN_BODIES_MS);
    }
  }
  const statuses = Object.values(answers).map(({ status }) => status);
  return { figures: { answers }, wrong: wrongStatuses(statuses, { needed: [400, 401, 413] }) };
}

/** Unfinished and costly bodies of strangers. */
export const BODY_FLOODS: Readonly<Record<string, Flood>> = {
  'unfinished-bodies': {
    finding: 'F1',
    says: '1,100 connections send a body of 1 MiB to /login, but for its last byte, and wait for 24 s',
    run: (target, options) => sendUnfinished(target, { count: 1_100, holdMs: 24_000 }, options),
  },
  'fewer-unfinished-bodies': {
    finding: 'F1',
    says: '820 such connections for 22 s, then nothing more: calls of others go on',
    run: (target, options) => sendUnfinished(target, { count: 820, holdMs: 22_000 }, options),
    watchMs: 30_000,
  },
  'costly-bodies': {
    finding: 'F1',
    says: 'one body at a time with 150,000 form fields, 340,000 objects, 100,000 keys, 255,000 numbers',
    warmUp,
    run: sendCostly,
    judgesStops: true,
  },
};
