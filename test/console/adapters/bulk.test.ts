import assert from 'node:assert/strict';
import {
  actionsOf,
  isEndValid,
  isStartValid,
  LEVEL_PRESET,
  NO_TERMS,
  requestOf,
} from '../../../console/src/pages/adapters/actions.js';
import {
  BULK_ACTS,
  bulkRequest,
  type BulkResult,
  canEnd,
  isApplicable,
  OPERATION_OF,
} from '../../../console/src/pages/adapters/bulk.js';
import { runForEach } from '../../../console/src/pages/adapters/run-for-each.js';
import { nextSelection } from '../../../console/src/pages/adapters/selection.js';
import { chosenAdapters } from '../../../console/src/pages/adapters/status.js';
import { tagGroupsOf } from '../../../console/src/pages/adapters/tags.js';
import { readViews, viewQuery, withView, writeViews } from '../../../console/src/pages/adapters/views.js';
import { column } from '../../support/columns.js';
import { observedAdapter } from '../observed.js';

const TERMS = { comment: ' maintenance ', level: 'debug', starts: '', seconds: '600', transport: '' };

describe('actions on several adapters', () => {
  it('send the request of the action, with its reason and its end', () => {
    const nso1 = observedAdapter({ name: 'nso1' });
    const stopped = observedAdapter({ name: 'nso1.example.com' });
    const paused = observedAdapter({ name: 'nso 1', suspended: 'paused' });
    const stop = { method: 'PUT', path: '/adapters/nso1.example.com/stop?comment=maintenance' };
    const resume = { method: 'PUT', path: '/adapters/nso%201/start' };
    assert.deepEqual(bulkRequest('stop', stopped, { ...TERMS, seconds: '' }), stop);
    assert.deepEqual(bulkRequest('resume', paused, { ...TERMS, comment: '' }), resume);
    assert.deepEqual(bulkRequest('block', nso1, TERMS).body, {
      mode: 'error',
      comment: 'maintenance',
      seconds: 600,
    });
    assert.deepEqual(bulkRequest('level', nso1, TERMS).body, {
      properties: { level: 'debug', seconds: 600 },
      comment: 'maintenance',
    });
    assert.equal(bulkRequest('test', nso1, TERMS).path, '/console/adapters/nso1/test');
  });

  it('leave out the adapters to which the action does not apply', () => {
    const adapters = [
      observedAdapter({ name: 'stopped', state: 'STOPPED' }),
      observedAdapter({ name: 'running' }),
      observedAdapter({ name: 'paused', suspended: 'paused' }),
    ];
    for (const [act, names] of [
      ['start', ['stopped']],
      ['stop', ['running', 'paused']],
      ['restart', ['running', 'paused']],
      ['pause', ['running']],
      ['block', ['running', 'paused']],
      ['resume', ['paused']],
      ['level', ['stopped', 'running', 'paused']],
      ['test', ['running', 'paused']],
    ] as const) {
      const applicable = adapters.filter((adapter) => isApplicable(act, adapter));
      assert.deepEqual(column(applicable, 'name'), names, act);
    }
  });

  it('send the request of the same action on one adapter', () => {
    for (const adapter of [observedAdapter(), observedAdapter({ suspended: 'paused' })])
      for (const action of actionsOf(adapter)) {
        const act = BULK_ACTS.find((one) => one === action.key);
        if (!act) continue;
        assert.equal(isApplicable(act, adapter), true);
        assert.deepEqual(bulkRequest(act, adapter, LEVEL_PRESET), requestOf(action, NO_TERMS));
        assert.equal(OPERATION_OF[act], action.needs);
        assert.equal(canEnd(act), action.canEnd ?? false);
      }
  });

  it('end at a time of day, which must not be over', () => {
    const pause = actionsOf(observedAdapter()).find(({ key }) => key === 'pause');
    assert.ok(pause);
    const at = (ms: number) => ({ ...NO_TERMS, seconds: new Date(Date.now() + ms).toISOString() });
    const { seconds } = requestOf(pause, at(3_600_000)).body as { readonly seconds: number };
    assert.ok(Math.abs(seconds - 3600) <= 1, `${seconds}`);
    assert.deepEqual(
      [isEndValid(at(60_000)), isEndValid(at(-60_000)), isEndValid(NO_TERMS)],
      [true, false, true],
    );
  });

  it('begin at a time of day, from which the end counts', () => {
    const pause = actionsOf(observedAdapter()).find(({ key }) => key === 'pause');
    assert.ok(pause);
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const terms = { ...NO_TERMS, starts: at(3_600_000), seconds: at(5_400_000) };
    const { starts, seconds } = requestOf(pause, terms).body as {
      readonly starts: string;
      readonly seconds: number;
    };
    assert.deepEqual([starts, seconds], [terms.starts, 1800]);
    assert.deepEqual([isStartValid(terms), isEndValid(terms)], [true, true]);
    assert.equal(isEndValid({ ...terms, seconds: at(60_000) }), false);
    assert.equal(isStartValid({ starts: at(-60_000) }), false);
  });

  it('run a few at a time, report each result, and stop when the user does', async () => {
    const names = Array.from({ length: 36 }, (_, at) => `nso${at}.example.com`);
    const results: BulkResult[] = [];
    const controller = new AbortController();
    let running = 0;
    let most = 0;
    const work = async (name: string): Promise<BulkResult> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (results.length >= 16) controller.abort();
      return { name, isDone: name !== 'nso3.example.com', message: '' };
    };
    await runForEach(names, work, {
      signal: controller.signal,
      onResult: (result) => results.push(result),
    });
    assert.equal(most, 4);
    assert.ok(results.length >= 17 && results.length < 36, String(results.length));
    const failed = results.filter(({ isDone }) => !isDone);
    assert.deepEqual(column(failed, 'name'), ['nso3.example.com']);
  });
});

describe('nextSelection', () => {
  const shown = ['a', 'b', 'c', 'd', 'e'];
  const next = (picked: string[], change: string, previous?: string) => {
    const [, sign, key = '', shift] = /^([+-])(\w)(!?)$/.exec(change) ?? [];
    const wanted = { key, isPicked: sign === '+', isRange: shift === '!' };
    return [...nextSelection(new Set(picked), wanted, { shown, previous })];
  };

  it('selects and clears one row', () => {
    assert.deepEqual(next([], '+b'), ['b']);
    assert.deepEqual(next(['b', 'c'], '-b', 'c'), ['c']);
  });

  it('selects the rows between two clicks with Shift, in both directions', () => {
    assert.deepEqual(next(['b'], '+d!', 'b'), ['b', 'c', 'd']);
    assert.deepEqual(next(['d'], '+b!', 'd').sort(), ['b', 'c', 'd']);
    assert.deepEqual(next(['a', 'b', 'c'], '-c!', 'a'), []);
  });

  it('selects one row with Shift if the other row is no longer shown', () => {
    assert.deepEqual(next(['x'], '+d!', 'x'), ['x', 'd']);
    assert.deepEqual(next([], '+d!'), ['d']);
  });
});

describe('tags', () => {
  const adapters = [
    observedAdapter({ name: 'nso1', tags: ['site:berlin', 'core'] }),
    observedAdapter({ name: 'nso2', tags: ['site:paris', 'core'], state: 'DEAD' }),
    observedAdapter({ name: 'nso3' }),
  ];

  it('filter adapters', () => {
    const names = (tag: string) =>
      chosenAdapters(adapters, { state: '', type: '', tag }).map(({ name }) => name);
    const found = [names('core'), names('site:paris'), names('')];
    assert.deepEqual(found, [['nso1', 'nso2'], ['nso2'], ['nso1', 'nso2', 'nso3']]);
  });

  it('group adapters, those with the most problems first', () => {
    assert.deepEqual(tagGroupsOf(adapters), [
      { tag: 'core', count: 2, problems: 1 },
      { tag: 'site:paris', count: 1, problems: 1 },
      { tag: 'site:berlin', count: 1, problems: 0 },
    ]);
  });
});

describe('saved views', () => {
  it('keep filters and order, but neither page nor time', () => {
    assert.equal(viewQuery('?tag=core&page=3&span=7d&q=nso&state='), 'q=nso&tag=core');
  });

  it('are kept by the browser, sorted, one per name', () => {
    let stored: string | null = null;
    const storage = () => ({
      getItem: () => stored,
      setItem: (_key: string, value: string) => {
        stored = value;
      },
    });
    const views = withView(withView([], { name: 'Paris', query: 'tag=a' }), {
      name: 'Berlin',
      query: 'tag=b',
    });
    assert.ok(writeViews(storage, withView(views, { name: 'Paris', query: 'tag=c' })));
    assert.deepEqual(readViews(storage), [
      { name: 'Berlin', query: 'tag=b' },
      { name: 'Paris', query: 'tag=c' },
    ]);
  });

  it('are none if the storage is off or was changed by something else', () => {
    const off = () => {
      throw new Error('storage is off');
    };
    assert.deepEqual(readViews(off), []);
    assert.equal(writeViews(off, []), false);
    for (const text of ['{"a":1}', '[{"name":"x"}, 3, null]']) {
      const views = readViews(() => ({ getItem: () => text }));
      assert.deepEqual(views, []);
    }
  });
});
