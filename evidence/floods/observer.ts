import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ObserverInput, ObserverMessage, ProbeKind, Sample } from './observation.js';

// Sends small requests to gatehouse in a separate process, which the work of the flood does not delay. It
// returns its samples on each message, and ends with the message `stop`.
const input = JSON.parse(process.argv[2] ?? '{}') as ObserverInput;

/** The time limit of the probes that the chart ships. */
const TIMEOUT_MS = 5_000;
const samples: Sample[] = [];
let isStopped = false;

interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const authorization = `Bearer ${input.token}`;
const QUESTIONS: Readonly<Record<ProbeKind, Question>> = {
  ready: { method: 'GET', path: '/readyz' },
  health: { method: 'GET', path: '/health/status' },
  call: {
    method: 'POST',
    path: `/orchestrator_manager/restQuery/${input.adapterId}`,
    headers: { authorization },
    body: { params: { path: '/config', accept: 'application/json' } },
  },
  login: {
    method: 'POST',
    path: '/login',
    body: { user: { username: input.username, password: input.password } },
  },
};

/** Milliseconds between the beginnings of two probes. */
const INTERVALS: Readonly<Record<ProbeKind, number>> = { ready: 20, health: 250, call: 250, login: 1_000 };

process.on('message', (message: ObserverMessage) => {
  if (message === 'look') process.send?.(samples);
  else isStopped = true;
});
process.on('disconnect', () => process.exit(0));
// `ready` measures the event loop on one connection. The other requests open new connections, as new callers do.
const lasting = new Agent({ keepAlive: true, maxSockets: 1 });
await Promise.all((Object.keys(QUESTIONS) as ProbeKind[]).map(watch));
process.send?.(samples, () => process.exit(0));

async function watch(kind: ProbeKind): Promise<void> {
  while (!isStopped) {
    const [at, begun, used] = [Date.now(), performance.now(), processorMs()];
    const status = await ask(kind);
    const ms = performance.now() - begun;
    samples.push({ kind, at, status, ms, ownMs: Math.min(ms, processorMs() - used) });
    await pause(Math.max(1, INTERVALS[kind] - ms));
  }
}

/** Resolves to the status of the reply; 0 if there is none within the time limit. */
function ask(kind: ProbeKind): Promise<number> {
  const { method, path, headers, body } = QUESTIONS[kind];
  const text = body && JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port: input.port,
      localAddress: input.from,
      method,
      path,
      agent: kind === 'ready' ? lasting : false,
      headers: {
        ...headers,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
      timeout: TIMEOUT_MS,
    });
    const timer = setTimeout(() => sent.destroy(), TIMEOUT_MS);
    const end = (status: number): void => {
      clearTimeout(timer);
      resolve(status);
    };
    sent.on('response', (response) => {
      response.resume();
      response.on('close', () => {
        end(response.complete ? (response.statusCode ?? 0) : 0);
      });
    });
    sent.on('error', () => {
      end(0);
    });
    sent.end(text);
  });
}

/** Returns the processor time of the main thread of gatehouse so far (Linux); Infinity if the system does not report it. */
function processorMs(): number {
  try {
    const [used] = readFileSync(`/proc/${input.pid}/task/${input.pid}/schedstat`, 'utf8').split(' ');
    return Number(used) / 1e6;
  } catch {
    return Infinity;
  }
}
