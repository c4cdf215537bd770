import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Summary } from './figures.js';
import {
  appendHistory,
  compareWithHistory,
  type HistoryEntry,
  historyEntry,
  historyTable,
  isRegression,
  readHistory,
} from './history.js';

const ABOUT = { at: '2026-01-01T00:00:00Z', commit: '0123abcd', machine: 'one', course: 'full' };

function entryOf(envoy: number, over: Partial<HistoryEntry> = {}): HistoryEntry {
  return { ...ABOUT, ratios: { action: { 'envoy-lua': envoy } }, ...over };
}

function summariesOf(cold: Readonly<Record<string, boolean>>): readonly Summary[] {
  const names = ['gatehouse', 'gatehouse-express', 'haproxy', 'fastify'];
  const spread = { median: 2, least: 1, most: 3 };
  return names.map((contender) => ({
    contender,
    profile: 'action',
    cpuUs: spread,
    ratios: Object.fromEntries(names.map((name) => [name, spread])),
    requestsPerSecond: 1000,
    residentMb: 100,
    not200: 0,
    wrong: 0,
    different: 0,
    opened: 32,
    letIn: 0,
    isCold: cold[contender] ?? false,
  }));
}

describe('the history of the proxy benchmark', () => {
  it('keeps the ratios of gatehouse to programs other than gatehouse', () => {
    const summaries = summariesOf({});
    assert.deepEqual(historyEntry(summaries, ABOUT), {
      ...ABOUT,
      ratios: { action: { haproxy: 2, fastify: 2 } },
    });
  });

  it('leaves out programs that were not warm', () => {
    assert.deepEqual(historyEntry(summariesOf({ fastify: true }), ABOUT).ratios, { action: { haproxy: 2 } });
    assert.deepEqual(historyEntry(summariesOf({ gatehouse: true }), ABOUT).ratios, {});
  });

  it('is appended to, and read in the order of the runs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-history-'));
    try {
      const file = join(folder, 'results', 'history.jsonl');
      assert.deepEqual(readHistory(file), []);
      for (const ratio of [1, 2]) appendHistory(file, entryOf(ratio));
      assert.deepEqual(readHistory(file), [entryOf(1), entryOf(2)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('compares with the median of the latest five runs of the same machine kind and length', () => {
    const history = [
      ...[9, 9, 1, 1.1, 1.2, 1.3, 5].map((ratio) => entryOf(ratio)),
      entryOf(50, { machine: 'another' }),
      entryOf(50, { course: 'quick' }),
      entryOf(1, { ratios: { query: { haproxy: 3 } } }),
    ];
    assert.deepEqual(compareWithHistory(entryOf(1.3), history), [
      { profile: 'action', contender: 'envoy-lua', before: 1.2, now: 1.3 },
    ]);
    assert.deepEqual(compareWithHistory(entryOf(1.3), []), []);
  });

  it('calls a ratio more than 15 % above the median a regression', () => {
    const compared = { profile: 'action', contender: 'haproxy', before: 2 };
    assert.equal(isRegression({ ...compared, now: 2.29 }), false);
    assert.equal(isRegression({ ...compared, now: 2.31 }), true);
    assert.equal(isRegression({ ...compared, now: 1 }), false);
    const [, worse = '', better = ''] = historyTable([
      { ...compared, now: 2.4 },
      { ...compared, now: 1.5 },
    ]);
    assert.match(worse, /^action: CPU to haproxy +2\.00x +2\.40x +\+20 % +REGRESSION$/);
    assert.match(better, /^action: CPU to haproxy +2\.00x +1\.50x +-25 %$/);
  });
});
