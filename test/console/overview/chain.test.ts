import assert from 'node:assert/strict';
import {
  causeOf,
  chainRows,
  columnOf,
  thicknessOf,
  sumOfRates,
  topCallers,
  inboundLink,
  outboundLink,
} from '../../../console/src/pages/overview/chain.js';
import { column } from '../../support/columns.js';
import { observedAdapter, rates } from '../observed.js';

describe('the chain of the overview page', () => {
  const dead = observedAdapter({
    name: 'dead',
    state: 'DEAD',
    connection: 'UNKNOWN',
    causes: [{ kind: 'failed', detail: 'no password' }],
  });
  const offline = observedAdapter({
    name: 'off',
    connection: 'OFFLINE',
    breaker: 'open',
    causes: [{ kind: 'offline', detail: 'refused' }],
  });
  const many = (count: number, type = 'restconf') =>
    Array.from({ length: count }, (_, i) =>
      observedAdapter({ name: `${type}${i}`, type, traffic: rates(i) }),
    );

  it('shows a row per adapter while there are few, broken adapters first, then the busiest', () => {
    const rows = chainRows([...many(3), dead]);
    const found = rows.map((row) => (row.kind === 'one' ? row.adapter.name : 'many'));
    assert.deepEqual(found, ['dead', 'restconf2', 'restconf1', 'restconf0']);
  });

  it('groups many healthy adapters by type, and shows the first six broken adapters one by one', () => {
    const broken = Array.from({ length: 9 }, (_, i) => ({ ...dead, name: `dead${i}` }));
    const rows = chainRows([...many(40), ...many(51, 'nso'), ...broken]);
    assert.deepEqual(
      rows.map((row) => (row.kind === 'one' ? row.adapter.name : `${row.adapters.length} ${row.type ?? ''}`)),
      ['dead0', 'dead1', 'dead2', 'dead3', 'dead4', 'dead5', '3 ', '51 nso', '40 restconf'],
    );
  });

  it('sums up the rates of adapters, and reports the slowest percentiles', () => {
    const slow = observedAdapter({ traffic: { ...rates(2, 1), p50Ms: 5, p95Ms: 900 } });
    const sum = sumOfRates([slow, observedAdapter({ traffic: rates(3) }), observedAdapter()]);
    assert.deepEqual(sum, { ...rates(5, 1), p95Ms: 900 });
    assert.equal(sumOfRates([observedAdapter()]).p95Ms, null);
  });

  it('marks the broken link, and gives the cause', () => {
    const linksOf = (adapter: Parameters<typeof causeOf>[0]) => [
      inboundLink(adapter),
      outboundLink(adapter),
      causeOf(adapter),
    ];
    const stopped = observedAdapter({ state: 'STOPPED', causes: [{ kind: 'stopped', detail: null }] });
    assert.deepEqual(linksOf(dead), ['broken', 'closed', 'no password']);
    assert.deepEqual(linksOf(offline), ['idle', 'broken', 'refused']);
    assert.deepEqual(linksOf(stopped), ['closed', 'closed', undefined]);
    assert.deepEqual(linksOf(observedAdapter({ traffic: rates(4) })), ['carries', 'carries', undefined]);
    assert.equal(causeOf({ ...offline, causes: [] }), 'Cause unknown.');
  });

  it('names the busiest callers, and sums up the other callers', () => {
    const callers = ['a', 'b', 'c', ''].map((name, i) => ({ name, ...rates(i + 1, 1) }));
    const { shown, others } = topCallers(callers, 2);
    assert.deepEqual(column(shown, 'name'), ['a', 'b']);
    assert.deepEqual(others, {
      name: '',
      calls: 35,
      errors: 10,
      clientErrors: 0,
      perMinute: 7,
      errorsPerMinute: 2,
    });
    assert.equal(topCallers([]).others, undefined);
  });

  it('centers the boxes, or starts at the top when they do not fit', () => {
    assert.deepEqual(columnOf([2, 2], 1, 5), { middles: [3.5, 6.5], height: 5 });
    assert.deepEqual(columnOf([4, 4], 0, 1), { middles: [2, 6], height: 8 });
    assert.equal(thicknessOf(0), 1.5);
    assert.ok(thicknessOf(1e9) <= 6);
  });
});
