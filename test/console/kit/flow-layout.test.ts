import assert from 'node:assert/strict';
import fc from 'fast-check';
import { flowLayout } from '../../../console/src/kit/flow-layout.js';

describe('flowLayout', () => {
  const flow = (names: `${string} > ${string}`, calls: number, errors = 0) => {
    const [caller = '', adapter = ''] = names.split(' > ');
    return { caller, adapter, calls, errors, clientErrors: 0 };
  };

  it('lists the busiest callers and adapters, and sums up all others at the end', () => {
    const { callers, adapters, bands } = flowLayout(
      [flow('ada > core1', 50), flow('bob > edge1', 30, 2), flow('eve > edge2', 20, 1), flow(' > core1', 90)],
      2,
    );
    const calls = (ends: typeof callers) => ends.map((end) => `${end.name} ${end.calls}`);
    assert.deepEqual(calls(callers), ['ada 50', 'bob 30', ' 110']);
    assert.deepEqual(calls(adapters), ['core1 140', 'edge1 30', ' 20']);
    assert.equal(bands.find(({ caller, adapter }) => caller === '' && adapter === '')?.errors, 1);
  });

  it('neither loses nor overlaps calls', () => {
    const name = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e');
    const flows = fc.array(
      fc.record({
        caller: name,
        adapter: name.filter((one) => one !== ''),
        calls: fc.integer({ min: 1, max: 1_000 }),
        errors: fc.constant(0),
        clientErrors: fc.constant(0),
      }),
    );
    fc.assert(
      fc.property(flows, (all) => {
        const { callers, adapters, bands } = flowLayout(all, 3);
        const sum = (list: readonly { readonly calls: number }[]): number =>
          list.reduce((total, { calls }) => total + calls, 0);
        assert.deepEqual([sum(callers), sum(adapters), sum(bands)], [sum(all), sum(all), sum(all)]);
        for (const { name: caller, y, height } of callers) {
          const own = bands.filter((band) => band.caller === caller).sort((a, b) => a.from - b.from);
          own.forEach((band, index) => {
            const before = own[index - 1];
            assert.ok(band.from >= (before ? before.from + before.height - 1e-9 : y));
            assert.ok(band.from + band.height <= y + Math.max(height, 2) + 1e-9);
          });
        }
      }),
    );
  });
});
