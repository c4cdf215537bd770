import { inspect } from 'node:util';
import { workerData } from 'node:worker_threads';
import { LOG_LEVELS } from '../../src/core/log.js';
import { systemClock } from '../../src/lib/clock.js';
import { createCooldown } from '../../src/lib/cooldown.js';
import { type CommunityAdapter, constructAdapter, pathDepth } from './community-adapter.js';
import { handedOver } from './hand-over.js';
import { limitLines } from './line-limit.js';
import { createMemoryCheck } from './memory-limit.js';
import {
  type FromWorker,
  type GenericOutcome,
  type GenericRequest,
  RAW_LENGTH,
  type ToWorker,
  type WorkerInput,
} from './messages.js';
import { outcomeOf, refusedPath } from './outcome.js';
import { runMethod } from './run-method.js';

// Worker thread that runs one community adapter, with the globals that the platform would provide.

const { job, memoryMb, replyBytes, port } = workerData as WorkerInput;

function send(message: FromWorker): void {
  port.postMessage(message);
}

/**
 * Creates the global `log` of the platform. Lines are limited here, because sent lines wait in the memory of
 * the host.
 */
function platformLog(): Record<string, (...parts: unknown[]) => void> {
  const maxRank = LOG_LEVELS.indexOf(job.logLevel);
  const take = limitLines((level, text) => {
    send({ type: 'log', level, text });
  }, systemClock);
  const levels = LOG_LEVELS.map((level, rank) => {
    const writeLine = (...parts: unknown[]): void => {
      const text = parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' ');
      take(level, text.slice(0, RAW_LENGTH));
    };
    return [level, rank <= maxRank ? writeLine : () => undefined] as const;
  });
  return Object.fromEntries(levels);
}

function serve(adapter: CommunityAdapter): void {
  const depth = pathDepth(job.folder);
  const checkMemory = createMemoryCheck(memoryMb * 1024 * 1024, (memory) => {
    send({ type: 'excess', memory });
  });
  for (const state of ['ONLINE', 'OFFLINE'] as const)
    adapter.on(state, () => {
      send({ type: 'connection', state });
    });
  port.on('message', (message: ToWorker) => {
    if (message.type === 'ping') {
      send({ type: 'pong' });
      checkMemory();
      return;
    }
    const { id, request } = message;
    const settle = (made: GenericOutcome): void => {
      const { outcome, buffers } = handedOver(made, replyBytes);
      port.postMessage({ type: 'outcome', id, outcome } satisfies FromWorker, buffers);
    };
    if ('args' in request) runMethod(adapter, request, settle);
    else runRequest(adapter, { request, depth }, settle);
  });
  send({ type: 'ready' });
  adapter.connect();
}

/** Minimum time between two warnings of rounded integers, in milliseconds. */
const ROUNDING_LOG_INTERVAL_MS = 60_000;
const roundingCooldown = createCooldown(systemClock, ROUNDING_LOG_INTERVAL_MS);

function warnOfRounding(): void {
  if (roundingCooldown() > 0) return;
  send({ type: 'log', level: 'warn', text: 'a reply contains integers that the adapter may have rounded' });
}

function runRequest(
  adapter: CommunityAdapter,
  { request, depth }: { readonly request: GenericRequest; readonly depth: number },
  settle: (outcome: GenericOutcome) => void,
): void {
  const { path, method, query, body, headers } = request;
  const refusal = refusedPath(path, depth);
  if (refusal) {
    settle(refusal);
    return;
  }
  let answered = false;
  const answer = (result: unknown, error: unknown): void => {
    if (answered) return;
    answered = true;
    const outcome = outcomeOf(result, error);
    if ('body' in outcome && outcome.body.isRounded) warnOfRounding();
    settle(outcome);
  };
  try {
    adapter.genericAdapterRequest(path, method, query, body, headers, answer);
  } catch (error) {
    answer(null, error);
  }
}

Object.assign(globalThis, { log: platformLog() });
process.argv.splice(2, Infinity, job.home, job.home, job.home, job.home);
serve(constructAdapter(job));
