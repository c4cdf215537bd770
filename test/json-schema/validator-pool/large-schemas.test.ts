import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openSchemaValidator } from '../../../src/features/forms/schema-validator.js';
import type { OpenValidatorPool } from '../../../src/json-schema/validator-pool/validator-pool.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { SAMPLE_FORMS, SAMPLE_FORMS_FOLDER } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { memoryYangModels } from '../../support/yang-models.js';

const CALLER = { signal: new AbortController().signal };

/** The default settings, and those that the guide names for a YANG model of 94,000 nodes. */
const DEFAULTS = { maxBytes: 1_048_576, validateTimeoutMs: 10_000, validateMemoryMb: 64 };
const LARGE = { maxBytes: 33_554_432, validateTimeoutMs: 60_000, validateMemoryMb: 512 };

describeWith(SAMPLE_FORMS, 'large schemas of YANG models', function () {
  this.timeout(120_000);
  let pool: OpenValidatorPool | undefined;

  afterEach(() => pool?.close());

  it('are accepted by a busy machine: the steps decide and not the time', async () => {
    const busyPool = openSchemaValidator({
      yangModels: memoryYangModels(),
      ...DEFAULTS,
      scheduler: systemScheduler,
    });
    pool = busyPool;
    const schema = readFileSync(join(SAMPLE_FORMS_FOLDER, 'oc-ni.json'), 'utf8');
    let isDone = false;
    const load = keepBusy(() => isDone);
    // Each schema is another one, so that each is compiled.
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, at) => {
        const jsonSchema = { ...(JSON.parse(schema) as object), title: String(at) };
        return busyPool.validateData(Buffer.from(JSON.stringify({ jsonSchema, formData: {} })), CALLER);
      }),
    );
    isDone = true;
    await load;
    assert.deepEqual(results.map((result) => result.valid), Array(6).fill(true)); // prettier-ignore
  });

  it('of 94,000 nodes are accepted with the limits that the guide names, and name the limit without', async () => {
    const schema = gunzipSync(readFileSync(join(SAMPLE_FORMS_FOLDER, 'xe-native.json.gz'))).toString();
    const body = Buffer.from(`{"jsonSchema":${schema},"formData":{}}`);
    pool = openSchemaValidator({ yangModels: memoryYangModels(), ...LARGE, scheduler: systemScheduler });
    assert.equal((await pool.validateData(body, CALLER)).valid, true);
    await pool.close();
    pool = openSchemaValidator({ yangModels: memoryYangModels(), ...DEFAULTS, scheduler: systemScheduler });
    await assert.rejects(pool.validateData(body, CALLER), /larger than 1048576 bytes \(forms\.maxBytes\)/);
  });
});

/** Keeps the main thread busy while other threads work. */
async function keepBusy(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const until = Date.now() + 20;
    while (Date.now() < until);
    await setImmediate();
  }
}
