import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Kysely, SqliteDialect } from 'kysely';
import type { Form } from '../../src/features/forms/form-store.js';
import { formListJson } from '../../src/features/forms/operations.js';
import { openSchemaValidator } from '../../src/features/forms/schema-validator.js';
import { openStore } from '../../src/features/open-store.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { inMainThread, openDatabaseFile } from '../../test/support/sqlite.js';
import type { Figure } from '../figure.js';
import { median } from '../proxy/round-spread.js';
import { newProgramOptions, type Part } from './part.js';

const FORMS = 10_000;

/** Validations per measurement. */
const VALIDATIONS = 2000;

/** The list of all forms compared with plain Kysely, and a validation compared with plain Ajv. */
export const forms: Part = {
  name: 'forms',
  async measure(setting) {
    const { folder } = await newProgramOptions(setting);
    return [
      ...(await listing(join(folder, 'forms.db'), setting.rounds)),
      ...(await validating(setting.rounds)),
    ];
  },
};

/** Milliseconds of the fastest run, and the ratios in the middle. */
interface Compared {
  readonly ms: number;
  readonly ratio: number;
  /** Ratio of the processor time of all threads. */
  readonly cpuRatio: number;
}

/** Runs both alternately, so that both see the same machine; the first run is a warm-up. */
async function compare(
  rounds: number,
  own: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Compared> {
  const times: number[] = [];
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [time, cpu] = await timeOf(own);
    const [bareTime, bareCpu] = await timeOf(bare);
    times.push(time);
    ratios.push(time / bareTime);
    cpuRatios.push(cpu / bareCpu);
  }
  return { ms: Math.min(...times), ratio: median(ratios.slice(1)), cpuRatio: median(cpuRatios.slice(1)) };
}

/** Returns the wall time and the processor time of all threads, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<readonly [wall: number, cpu: number]> {
  const from = performance.now();
  const cpuFrom = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuFrom);
  return [performance.now() - from, (user + system) / 1000];
}

/** Compares the bodies of the response, until their bytes could be written. */
async function listing(path: string, rounds: number): Promise<readonly Figure[]> {
  const store = await openStore(`sqlite:${path}`);
  await store.forms.restore(manyForms(), { skip: false });
  const database = inMainThread(openDatabaseFile(path));
  const db = new Kysely<BareTables>({ dialect: new SqliteDialect({ database }) });
  const ownPieces = () => formListJson(store.forms, new URLSearchParams(), { limit: Infinity, skip: 0 });
  const own = async (): Promise<number> => {
    let length = 0;
    for await (const piece of ownPieces()) length += piece.length;
    return length;
  };
  const bare = async (): Promise<Buffer> => {
    const rows = await db.selectFrom('forms').select('document').orderBy('id').execute();
    const documents = rows.map(({ document }) => `${document.slice(0, -1)},"tags":[]}`);
    return Buffer.from(`[${documents.join(',')}]`);
  };
  try {
    if (!(await bytesOf(ownPieces())).equals(await bare())) throw new Error('the two lists of forms differ');
    const { ms, ratio, cpuRatio } = await compare(rounds, own, bare);
    const what = `getForms of ${FORMS.toLocaleString('en')}`;
    return [
      { what: `${what}: processor time to Kysely`, unit: 'x', median: cpuRatio, target: { most: 1.3 } },
      { what: `${what}: time to Kysely`, unit: 'x', median: ratio, target: { most: 1.3 } },
      { what, unit: 'ms', median: ms },
    ];
  } finally {
    await db.destroy();
    await store.close();
  }
}

async function bytesOf(pieces: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

interface BareTables {
  readonly forms: { readonly id: string; readonly document: string };
}

async function validating(rounds: number): Promise<readonly Figure[]> {
  const judge = openSchemaValidator({
    maxBytes: 1_048_576,
    validateTimeoutMs: 10_000,
    validateMemoryMb: 64,
    scheduler: systemScheduler,
  });
  const form = Buffer.from(JSON.stringify(formOf(0)));
  const body = Buffer.from(JSON.stringify({ formData: DATA }));
  const { signal } = new AbortController();
  const validate = new Ajv({ allErrors: true }).compile(SCHEMA);
  const { valid } = await judge.validateForm(form, body, { signal });
  const parse = () => (JSON.parse(body.toString()) as { readonly formData: unknown }).formData;
  if (!valid || !validate(parse())) throw new Error('the data of the form is not valid');
  const many = async (work: () => unknown): Promise<void> => {
    for (let count = 0; count < VALIDATIONS; count += 1) await work();
  };
  try {
    const { ms, ratio } = await compare(
      rounds,
      () => many(() => judge.validateForm(form, body, { signal })),
      () => many(() => validate(parse())),
    );
    return [
      { what: 'validateForm, known schema: time to Ajv', unit: 'x', median: ratio, target: { most: 3 } },
      { what: 'validateForm, known schema', unit: 'us', median: (ms * 1000) / VALIDATIONS },
    ];
  } finally {
    await judge.close();
  }
}

const NAMES = Array.from({ length: 40 }, (_, at) => `field${at}`);
const FIELD = { type: 'string', minLength: 2, maxLength: 40, pattern: '^[a-z]+$' };
const SCHEMA = {
  type: 'object',
  required: NAMES,
  additionalProperties: false,
  properties: Object.fromEntries(NAMES.map((name) => [name, FIELD])),
};
const DATA = Object.fromEntries(NAMES.map((name) => [name, 'interface']));

async function* manyForms(): AsyncGenerator<Form> {
  for (let at = 0; at < FORMS; at += 1) yield await Promise.resolve(formOf(at));
}

function formOf(at: number): Form {
  const created = '2026-01-01T00:00:00.000Z';
  return {
    id: at.toString(16).padStart(24, '0'),
    name: `form ${at}`,
    description: null,
    struct: {},
    schema: SCHEMA,
    uiSchema: {},
    bindingSchema: {},
    validationSchema: SCHEMA,
    created,
    createdBy: 'bench',
    lastUpdated: created,
    lastUpdatedBy: 'bench',
    version: '1',
  };
}
