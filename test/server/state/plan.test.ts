import assert from 'node:assert/strict';
import { enabledSections } from '../../../src/server/state/configuration.js';
import { planSnapshot } from '../../../src/server/state/plan.js';
import { resolveSections } from '../../../src/server/state/resolve.js';
import { fileOf, openRuntime, type TestRuntime } from '../../support/adapter-runtime.js';

/** Plans the next snapshot from the files as they are now. Returns what becomes of each adapter. */
async function plannedIn({ current, values, read }: TestRuntime, only?: ReadonlySet<string>) {
  const { desired } = await read();
  const secrets = { resolve: () => Promise.resolve(values) };
  const resolved = await resolveSections(enabledSections(desired), secrets);
  const plan = await planSnapshot(current.current(), { desired, resolved, generation: 2, only });
  const adapters = desired.adapters.map(({ id }, at) => {
    const part = plan.adapters[at];
    assert.ok(part);
    if ('kept' in part) return [id, 'stays'] as const;
    return [
      id,
      part.previous ? `is replaced${part.mayStay ? ' if the new one works' : ''}` : 'is new',
    ] as const;
  });
  return { main: 'kept' in plan.main ? 'stays' : 'is built', adapters: Object.fromEntries(adapters) };
}

describe('planSnapshot', () => {
  it('keeps what is unchanged, and says which running adapter may serve in place of its replacement', async () => {
    const runtime = await openRuntime();
    try {
      for (const id of ['same', 'tuned', 'moved']) runtime.write(id, fileOf());
      runtime.write('tagged', fileOf('tags: [edge]\n'));
      await runtime.reload();
      runtime.write('tuned', fileOf('timeouts: { startMs: 12345 }\n'));
      runtime.write('moved', fileOf().replace(':9', ':8'));
      runtime.write('tagged', fileOf('tags: [core]\n'));
      runtime.write('added', fileOf());
      assert.deepEqual(await plannedIn(runtime), {
        main: 'stays',
        adapters: {
          added: 'is new',
          moved: 'is replaced',
          same: 'stays',
          tagged: 'stays',
          tuned: 'is replaced if the new one works',
        },
      });
    } finally {
      await runtime.close();
    }
  });

  it('compares only the named sections after a rotation of secrets', async () => {
    const runtime = await openRuntime();
    try {
      runtime.write('one', fileOf());
      runtime.write('two', fileOf());
      await runtime.reload();
      runtime.write('one', fileOf('timeouts: { startMs: 12345 }\n'));
      runtime.write('two', fileOf('timeouts: { startMs: 12345 }\n'));
      const { adapters } = await plannedIn(runtime, new Set(['two']));
      assert.deepEqual(adapters, { one: 'stays', two: 'is replaced if the new one works' });
    } finally {
      await runtime.close();
    }
  });
});
