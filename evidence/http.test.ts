import assert from 'node:assert/strict';
import { measureHttp, openFront, openLenientFront, SMUGGLING } from './http/measure.js';

describe('ambiguous HTTP requests', function () {
  this.timeout(120_000);

  it('H1, H2, H4, H8: are refused and have no effect', async () => {
    assert.equal(SMUGGLING.length, 1336);
    const front = await openFront();
    const { holds, figures } = await measureHttp({ front, routes: { step: 25 } });
    await front.close();
    assert.ok(holds, JSON.stringify(figures));
  });

  it('take effect on a lenient server (control)', async () => {
    const front = await openLenientFront();
    const { holds, figures } = await measureHttp({
      front,
      step: 7,
      leaving: true,
      routes: { step: 20, open: true },
    });
    await front.close();
    assert.equal(holds, false);
    assert.ok((figures['answered'] as readonly string[]).length > 0);
    assert.ok((figures['routing'] as { readonly done: number }).done > 0);
  });
});
