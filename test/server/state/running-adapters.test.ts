import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ComponentOverrides } from '../../../src/core/component.js';
import { fileOf, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';

/** The configuration of an adapter: valid, disabled or invalid. */
type Quality = 'good' | 'disabled' | 'bad';
type WantedAdapter = ComponentOverrides['wanted'];

interface AdapterRequest {
  readonly files: Readonly<Record<string, Quality>>;
  readonly records: Readonly<Record<string, Quality>>;
  readonly wanted: Readonly<Record<string, WantedAdapter>>;
  readonly services: readonly string[] | undefined;
}

const NO_REQUEST: AdapterRequest = { files: {}, records: {}, wanted: {}, services: undefined };

/** Returns the adapters that should run: a file has priority over a record, and any source can stop an adapter. */
function shouldRun({ files, records, wanted, services = [] }: AdapterRequest): readonly string[] {
  return Object.entries({ ...records, ...files })
    .filter(([id, quality]) => quality === 'good' && wanted[id] !== 'stopped')
    .filter(([id]) => services.length === 0 || services.includes(id))
    .map(([id]) => id)
    .sort();
}

const FILE_TEXTS = { good: fileOf(), disabled: fileOf('enabled: false\n'), bad: 'plugin: nonsense\n' };

function recordWith(id: string, quality: Quality) {
  return recordOf(
    id,
    quality === 'disabled' ? { enabled: false } : {},
    quality === 'bad' ? 'gone' : undefined,
  );
}

type Step = (runtime: TestRuntime, request: AdapterRequest) => AdapterRequest;

const id = fc.constantFrom('a', 'b', 'c');
const quality = fc.constantFrom<Quality>('good', 'good', 'disabled', 'bad');

function without<T>(all: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
}

const writes = fc.tuple(id, quality).map(([name, like]): Step => (runtime, request) => {
  runtime.write(name, FILE_TEXTS[like]);
  return { ...request, files: { ...request.files, [name]: like } };
});
const erases = id.map((name): Step => (runtime, request) => {
  runtime.erase(name);
  return { ...request, files: without(request.files, name) };
});
const registers = fc.tuple(id, quality).map(([name, like]): Step => (runtime, request) => {
  runtime.register(recordWith(name, like));
  return { ...request, records: { ...request.records, [name]: like } };
});
const deletes = id.map((name): Step => (runtime, request) => {
  runtime.records.delete(name);
  return { ...request, records: without(request.records, name) };
});
const wants = fc
  .tuple(id, fc.constantFrom<WantedAdapter>('running', 'stopped', 'paused', 'refusing'), fc.nat(2))
  .map(([name, wanted, restarts]): Step => (runtime, request) => {
    runtime.setOverrides(name, { wanted, restarts });
    return { ...request, wanted: { ...request.wanted, [name]: wanted } };
  });
const profiles = fc
  .option(fc.subarray(['a', 'b', 'c']), { nil: undefined })
  .map((services): Step => (runtime, request) => {
    runtime.activate(services && { services });
    return { ...request, services };
  });

const step = fc.oneof(writes, erases, registers, deletes, wants, profiles);
const applyMode = fc.constantFrom('reload', 'takeUp', 'both');

describe('the running adapters', () => {
  it('match the files, records, overrides and profile after any sequence of changes (property)', async () => {
    const rounds = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), applyMode), {
      maxLength: 8,
    });
    const property = fc.asyncProperty(rounds, async (all) => {
      const runtime = await openRuntime();
      try {
        let request = NO_REQUEST;
        let live = NO_REQUEST;
        for (const [steps, mode] of all) {
          for (const applyStep of steps) request = applyStep(runtime, request);
          const isRefused = Object.values(request.files).includes('bad');
          if (mode !== 'takeUp') assert.equal((await runtime.reload()).length > 0, isRefused);
          if (mode !== 'takeUp' && !isRefused) live = request;
          if (mode !== 'reload') assert.deepEqual(await runtime.applyRecords(), []);
          if (mode !== 'reload') live = { ...request, files: live.files };
          const running = Object.entries(runtime.states()).filter(([, state]) => state === 'RUNNING');
          assert.deepEqual(running.map(([name]) => name).sort(), shouldRun(live));
        }
      } finally {
        await runtime.close();
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
