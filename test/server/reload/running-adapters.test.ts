import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ComponentOverrides } from '../../../src/core/component.js';
import { fileOf, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';

/** What an adapter may be like: as it should be, switched off, or with something wrong. */
type Quality = 'good' | 'disabled' | 'bad';
type WantedAdapter = ComponentOverrides['wanted'];

/** What was asked for, in the simplest words. */
interface AdapterRequest {
  readonly files: Readonly<Record<string, Quality>>;
  readonly records: Readonly<Record<string, Quality>>;
  readonly wanted: Readonly<Record<string, WantedAdapter>>;
  readonly services: readonly string[] | undefined;
}

const NOTHING: AdapterRequest = { files: {}, records: {}, wanted: {}, services: undefined };

/** The adapters that should run: a file goes before a record, and whoever says no has the last word. */
function shouldRun({ files, records, wanted, services = [] }: AdapterRequest): readonly string[] {
  return Object.entries({ ...records, ...files })
    .filter(([id, quality]) => quality === 'good' && wanted[id] !== 'stopped')
    .filter(([id]) => services.length === 0 || services.includes(id))
    .map(([id]) => id)
    .sort();
}

const TEXTS = { good: fileOf(), disabled: fileOf('enabled: false\n'), bad: 'plugin: nonsense\n' };

function recordLike(id: string, quality: Quality) {
  return recordOf(
    id,
    quality === 'disabled' ? { enabled: false } : {},
    quality === 'bad' ? 'gone' : undefined,
  );
}

/** Does a step to the house, and tells what is asked for then. */
type Step = (house: TestRuntime, asked: AdapterRequest) => AdapterRequest;

const id = fc.constantFrom('a', 'b', 'c');
const quality = fc.constantFrom<Quality>('good', 'good', 'disabled', 'bad');

function without<T>(all: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
}

const writes = fc.tuple(id, quality).map(([name, like]): Step => (house, asked) => {
  house.write(name, TEXTS[like]);
  return { ...asked, files: { ...asked.files, [name]: like } };
});
const erases = id.map((name): Step => (house, asked) => {
  house.erase(name);
  return { ...asked, files: without(asked.files, name) };
});
const registers = fc.tuple(id, quality).map(([name, like]): Step => (house, asked) => {
  house.register(recordLike(name, like));
  return { ...asked, records: { ...asked.records, [name]: like } };
});
const deletes = id.map((name): Step => (house, asked) => {
  house.records.delete(name);
  return { ...asked, records: without(asked.records, name) };
});
const wants = fc
  .tuple(id, fc.constantFrom<WantedAdapter>('running', 'stopped', 'paused', 'refusing'), fc.nat(2))
  .map(([name, wanted, restarts]): Step => (house, asked) => {
    house.setOverrides(name, { wanted, restarts });
    return { ...asked, wanted: { ...asked.wanted, [name]: wanted } };
  });
const profiles = fc
  .option(fc.subarray(['a', 'b', 'c']), { nil: undefined })
  .map((services): Step => (house, asked) => {
    house.activate(services && { services });
    return { ...asked, services };
  });

const step = fc.oneof(writes, erases, registers, deletes, wants, profiles);
const take = fc.constantFrom('reload', 'takeUp', 'both');

describe('the running adapters', () => {
  it('match the files, records, overrides and profile after any sequence of changes (property)', async () => {
    const rounds = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), take), { maxLength: 8 });
    const property = fc.asyncProperty(rounds, async (all) => {
      const house = await openRuntime();
      try {
        let asked = NOTHING;
        let live = NOTHING;
        for (const [steps, how] of all) {
          for (const one of steps) asked = one(house, asked);
          const isRefused = Object.values(asked.files).includes('bad');
          if (how !== 'takeUp') assert.equal((await house.reload()).length > 0, isRefused);
          if (how !== 'takeUp' && !isRefused) live = asked;
          if (how !== 'reload') assert.deepEqual(await house.applyRecords(), []);
          if (how !== 'reload') live = { ...asked, files: live.files };
          const running = Object.entries(house.states()).filter(([, state]) => state === 'RUNNING');
          assert.deepEqual(running.map(([name]) => name).sort(), shouldRun(live));
        }
      } finally {
        await house.close();
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
