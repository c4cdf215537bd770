import assert from 'node:assert/strict';
import { largeModule } from '../../support/large-module.js';
import { until } from '../../support/until.js';
import { CAPABILITIES, dataWith, DEVICE, doublesOfTest, SCHEMAS } from './double-adapter.js';

const LARGE = 'urn:device-model?module=device-model';

describe('the compilation of the modules of a NETCONF server', () => {
  const { openDouble, openAdapter } = doublesOfTest();
  const doubleWith = (capabilities: readonly string[]) =>
    openDouble({
      capabilities: [...CAPABILITIES, ...capabilities],
      schemas: { ...SCHEMAS, 'device-model': largeModule({ areas: 40, parts: 20, leaves: 20 }) },
      onOperation: () => dataWith('<offset>1</offset>'),
    });

  it('does not stop the calls of other adapters, which are answered before it has finished', async () => {
    const [small, large] = [await doubleWith([]), await doubleWith([LARGE])];
    const other = await openAdapter(small);
    const order: string[] = [];
    const starting = openAdapter(large).then((device) => {
      order.push('compiled');
      return device;
    });
    await until(() => large.operations.length >= 3);
    for (let calls = 0; calls < 3; calls += 1)
      assert.equal(await other.get(`${DEVICE}/offset`, '/test-device:offset'), 1);
    order.push('answered');
    const device = await starting;
    assert.deepEqual(order, ['answered', 'compiled']);
    assert.equal(
      await device.outcome('GET /restconf/data/device-model:device/hostname'),
      '404 invalid-value: there is no such data',
    );
  });
});
