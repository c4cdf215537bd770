import { setTimeout as pause } from 'node:timers/promises';
import { ask, countStatuses, repeat, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import type { Target } from './target.js';

// F11: a validation waits for a few costly schemas of another subject, not for all of them.

const TOGETHER = 40;
const FLOOD_MS = 15_000;
const BETWEEN_VALIDATIONS_MS = 250;
/** Time limit for a trivial validation of another subject: several times the limit of one validation. */
const MOST_MS = 2_000;

const BRANCHES = 8;
const DEPTH = 16;
const node = { $ref: '#/$defs/node' };
const COSTLY = {
  jsonSchema: {
    ...node,
    $defs: {
      node: {
        anyOf: Array.from({ length: BRANCHES }, (_, at) => ({
          properties: { next: node },
          required: [`missing${at}`],
        })),
      },
    },
  },
  formData: nested(DEPTH),
};
const TRIVIAL = { jsonSchema: { type: 'object' }, formData: {} };

function nested(depth: number): object {
  return depth === 0 ? {} : { next: nested(depth - 1) };
}

async function validateCostly(target: Target, options: FloodOptions): Promise<Run> {
  const trivial = (): ReturnType<typeof ask> =>
    ask(target, {
      method: 'POST',
      path: '/json-forms/validate-data',
      token: target.adminToken,
      body: TRIVIAL,
    });
  // The first validation starts the threads.
  await trivial();
  const alone = await trivial();
  const statuses: number[] = [];
  const costly = { method: 'POST', path: '/json-forms/task/RenderJsonSchema', token: target.engineerToken };
  const flood = repeat(
    { callers: partOf(TOGETHER, options), count: Infinity, mostMs: partOf(FLOOD_MS, options) },
    async () => {
      statuses.push((await ask(target, { ...costly, body: COSTLY })).status);
      return target.isAlive();
    },
  );
  const progress = { isOver: false };
  void flood.then(() => (progress.isOver = true));
  await pause(BETWEEN_VALIDATIONS_MS);
  const beside: Awaited<ReturnType<typeof ask>>[] = [];
  do {
    beside.push(await trivial());
    await pause(BETWEEN_VALIDATIONS_MS);
  } while (!progress.isOver);
  const worstMs = Math.round(Math.max(...beside.map(({ ms }) => ms)));
  const mostMs = Math.round(MOST_MS * options.noise);
  const failed = beside.filter(({ status }) => status !== 200).length;
  return {
    figures: {
      costly: statuses.length,
      statuses: countStatuses(statuses),
      trivial: beside.length,
      failed,
      aloneMs: Math.round(alone.ms),
      worstMs,
    },
    wrong: [
      ...wrongStatuses(statuses, { needed: [422], expected: [429, 503] }),
      ...(worstMs > mostMs ? [`a trivial validation took ${worstMs} ms, more than ${mostMs} ms`] : []),
      ...(failed > 0 ? [`${failed} trivial validations failed`] : []),
    ],
  };
}

/** Validations of one engineer. */
export const VALIDATION_FLOODS: Readonly<Record<string, Flood>> = {
  validations: {
    finding: 'F11',
    says: '40 costly schemas of an engineer at a time: a trivial validation of another subject takes at most 2 s',
    run: validateCostly,
  },
};
