import assert from 'node:assert/strict';
import { classifyIpv4 } from '../src/upstream/address.js';
import { itWith } from '../test/support/needs.js';
import { measureAddresses } from './ssrf/addresses.js';
import { measureSsrf, SSRF_NEEDS } from './ssrf/measure.js';

describe('requests to denied addresses', function () {
  this.timeout(120_000);

  itWith(SSRF_NEEDS, 'S1, S3, S5: are blocked in any spelling, with any name and any header', async () => {
    const { holds, figures } = await measureSsrf({ rebindings: 200 });
    assert.ok(holds, JSON.stringify(figures));
    assert.ok(Number(figures['vectors']) >= 430, JSON.stringify(figures['vectors']));
  });

  itWith(SSRF_NEEDS, 'reach their targets without a policy (control)', async () => {
    const { holds, figures } = await measureSsrf({ rebindings: 20, sabotage: true });
    assert.equal(holds, false);
    for (const witness of ['reached', 'connections', 'connects'])
      assert.ok(Number(figures[witness]) > 0, witness);
  });

  it('S2: are classified according to the registries, for 1,200,000 addresses of the whole space', () => {
    const { holds, figures } = measureAddresses(classifyIpv4, 3_571);
    assert.ok(holds, JSON.stringify(figures));
  });

  it('are misclassified by an incomplete classifier (control)', () => {
    const forgetful = (value: number) =>
      classifyIpv4(value) === 'benchmarking' ? 'public' : classifyIpv4(value);
    const { holds } = measureAddresses(forgetful, 3_571);
    assert.equal(holds, false);
  });
});
