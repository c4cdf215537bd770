import assert from 'node:assert/strict';
import { exposition } from '../../src/metrics/exposition.js';
import { readExposition } from '../support/scrape.js';

describe('the exposition', () => {
  it('says nothing of what was not measured: a token that there is none of has not 0 seconds left', async () => {
    const metric = {
      name: 'token_ttl_seconds',
      help: 'What it has left.',
      type: 'gauge',
      samples: [],
    } as const;
    const { samples, families } = readExposition(await exposition([metric]));
    assert.equal(samples.size, 0);
    assert.equal(families.get('token_ttl_seconds')?.type, 'gauge');
  });

  it('writes each sample with its labels', async () => {
    const samples = [
      { labels: { state: 'a "quoted" one' }, value: 1 },
      { labels: { state: 'b' }, value: 0.5 },
    ];
    const text = await exposition([{ name: 'states', help: 'States.', type: 'gauge', samples }]);
    assert.match(text, /^states\{state="a \\"quoted\\" one"\} 1\nstates\{state="b"\} 0\.5$/m);
  });
});
