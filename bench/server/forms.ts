import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Kysely, SqliteDialect } from 'kysely';
import { openSchemaValidator } from '../../src/api/services/schema-validator.js';
import { systemScheduler } from '../../src/core/lib/clock.js';
import type { Form } from '../../src/core/form.js';
import { openStore } from '../../src/storage/open-store.js';
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

/** Milliseconds of the faster of all runs, and the ratio in the middle. */
interface Compared {
  readonly ms: number;
  readonly ratio: number;
}

/** Runs both alternately, so that both see the same machine; the first run is a warm-up. */
async function compare(
  rounds: number,
  own: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Compared> {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const time = await timeOf(own);
    times.push(time);
    ratios.push(time / (await timeOf(bare)));
  }
  return { ms: Math.min(...times), ratio: median(ratios.slice(1)) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function listing(path: string, rounds: number): Promise<readonly Figure[]> {
  const store = await openStore(`sqlite:${path}`);
  await store.forms.restore(manyForms(), { skip: false });
  const database = inMainThread(openDatabaseFile(path));
  const db = new Kysely<BareTables>({ dialect: new SqliteDialect({ database }) });
  const own = async (): Promise<string> => {
    const texts: string[] = [];
    for await (const page of store.forms.list()) texts.push(page.toString().replaceAll('\n', ','));
    return `[${texts.join(',')}]`;
  };
  const bare = async (): Promise<string> => {
    const rows = await db.selectFrom('forms').select('document').orderBy('id').execute();
    return `[${rows.map(({ document }) => document).join(',')}]`;
  };
  try {
    if ((await own()) !== (await bare())) throw new Error('the two lists of forms are not the same');
    const { ms, ratio } = await compare(rounds, own, bare);
    const what = `getForms of ${FORMS.toLocaleString('en')}`;
    return [
      { what: `${what}: time to Kysely`, unit: 'x', median: ratio, target: { most: 1.3 } },
      { what, unit: 'ms', median: ms },
    ];
  } finally {
    await db.destroy();
    await store.close();
  }
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
  const many = async (work: () => unknown): Promise<void> => {
    for (let count = 0; count < VALIDATIONS; count += 1) await work();
  };
  const parse = () => (JSON.parse(body.toString()) as { readonly formData: unknown }).formData;
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
