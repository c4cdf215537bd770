import assert from 'node:assert/strict';
import { createNetconfDouble, type NetconfDouble } from '../../support/netconf-double.js';
import { largeModule } from '../../support/large-module.js';
import { until } from '../../support/until.js';
import { type TestAdapter, startAdapter } from './adapter.js';
import { CAPABILITIES, INET, optionsForDouble } from './double-adapter.js';
import { DEVICE_MODULE } from './device-module.js';

const LARGE = 'urn:device-model?module=device-model';

describe('the compilation of the modules of a NETCONF server', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function doubleWith(capabilities: readonly string[]): Promise<NetconfDouble> {
    const double = await createNetconfDouble({
      capabilities: [...CAPABILITIES, ...capabilities],
      schemas: {
        'test-device': DEVICE_MODULE,
        'ietf-inet-types': INET,
        'device-model': largeModule({ areas: 40, parts: 20, leaves: 20 }),
      },
      onOperation: () => '<data><device xmlns="urn:test:device"><offset>1</offset></device></data>',
    });
    closing.push(() => double.close());
    return double;
  }

  async function start(double: NetconfDouble): Promise<TestAdapter> {
    const device = await startAdapter(optionsForDouble(double));
    closing.push(() => device.stop());
    return device;
  }

  it('does not stop the calls of other adapters, which are answered before it has finished', async () => {
    const [small, large] = [await doubleWith([]), await doubleWith([LARGE])];
    const other = await start(small);
    const order: string[] = [];
    const starting = start(large).then((device) => {
      order.push('compiled');
      return device;
    });
    await until(() => large.operations.length >= 3);
    for (let calls = 0; calls < 3; calls += 1)
      assert.equal(await other.get('/restconf/data/test-device:device/offset', '/test-device:offset'), 1);
    order.push('answered');
    const device = await starting;
    assert.deepEqual(order, ['answered', 'compiled']);
    assert.equal(
      await device.outcome('GET /restconf/data/device-model:device/hostname'),
      '404 invalid-value: there is no such data',
    );
  });
});
