import assert from 'node:assert/strict';
import type { AdapterContext } from '../../src/core/adapter.js';
import { pageThrough, type PageTerms } from '../../src/plugin-sdk/page-through.js';
import { sendTo } from '../plugins/send.js';
import { problem } from '../support/failing.js';
import { ITEMS, type PagingDouble, startPagingDouble } from '../support/paging-double.js';

const RULE = { by: 'next', at: '/next', items: '/results' } as const;
const signal = new AbortController().signal;

describe('pageThrough', () => {
  let double: PagingDouble;
  let context: Pick<AdapterContext, 'send' | 'linkedPath'>;
  before(async () => {
    double = await startPagingDouble();
    const linkedPath = (link: string) =>
      link.startsWith(`${double.url}/`) ? link.slice(double.url.length) : undefined;
    context = { send: sendTo({ url: double.url }), linkedPath };
  });
  after(() => double.close());
  beforeEach(() => {
    double.targets.length = 0;
  });

  const read = async (path: string, terms: PageTerms, from = context): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for await (const { items } of pageThrough(from, { method: 'GET', path, headers: {} }, terms))
      found.push(...items);
    return found;
  };

  it('yields the items of all pages, with all digits', async () => {
    const found = await read('/netbox/devices/', { rule: RULE, signal });
    assert.equal(found.length, ITEMS.length);
    assert.deepEqual(found[6], { id: 6, octets: 18_446_744_073_709_551_616n, rate: 6.5 });
  });

  it('requests a page only when the loop asks for it', async () => {
    const request = { method: 'GET', path: '/netbox/devices/', headers: {} };
    for await (const { items, reply } of pageThrough(context, request, { rule: RULE, signal })) {
      assert.deepEqual([items.length, reply.status], [3, 200]);
      break;
    }
    assert.equal(double.targets.length, 1);
  });

  it('throws for an error of the orchestrator, for a link elsewhere and beyond its bounds', async () => {
    const byOffset = { rule: { by: 'offset', parameter: 'offset' }, signal } as const;
    const elsewhere = { rule: { ...RULE, items: '/items' }, signal };
    const alone = { send: context.send };
    for (const [path, terms, code, from = context] of [
      ['/breaks', byOffset, 'upstream_failed'],
      ['/nowhere', byOffset, 'upstream_rejected'],
      ['/endless', { ...byOffset, bounds: { maxPages: 5 } }, 'upstream_too_large'],
      ['/elsewhere?to=http://other.example/x', elsewhere, 'upstream_bad_reply'],
      ['/elsewhere?to=http://other.example/x', elsewhere, 'upstream_bad_reply', alone],
    ] as const)
      await assert.rejects(read(path, terms, from), problem(code));
  });

  it('follows links without a host for a context without linkedPath', async () => {
    const terms = { rule: { ...RULE, items: '/items' }, signal };
    const reading = read('/elsewhere?to=/netbox/none', terms, { send: context.send });
    await assert.rejects(reading, problem('upstream_rejected'));
    assert.equal(double.targets[1], '/base/netbox/none');
  });
});
