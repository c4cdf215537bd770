import assert from 'node:assert/strict';
import {
  auditCells,
  auditSpan,
  loadedTime,
  outcomeCounts,
} from '../../../console/src/pages/audit/audit-cells.js';
import { type AuditRecord, outcomeOf } from '../../../console/src/pages/audit/record.js';
import {
  AUDITED_READS,
  auditLink,
  auditPath,
  exportPath,
  NO_FILTERS,
} from '../../../console/src/pages/audit/search.js';
import { ACTS, sentenceOf } from '../../../console/src/pages/audit/sentences.js';
import { describeOperations } from '../../../src/features/operations.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (ms: number, status = 200) => ({ time: new Date(NOW - ms).toISOString(), status });

describe('the strip of the audit trail', () => {
  it('counts the records of its time by cell and outcome', () => {
    const span = auditSpan(NOW, 3_600_000);
    const records = [ago(1), ago(59_999, 403), ago(60_001, 503), ago(3_600_001), ago(-1)];
    assert.deepEqual(auditCells(records, span), [
      { at: NOW - 120_000, calls: 1, errors: 1, clientErrors: 0 },
      { at: NOW - 60_000, calls: 2, errors: 0, clientErrors: 1 },
    ]);
    assert.deepEqual(auditCells([], span), []);
    assert.deepEqual(outcomeCounts(records), { done: 3, refused: 1, failed: 1 });
  });

  it('knows the time whose records are loaded', () => {
    const searched = { from: NOW - 3_600_000, to: NOW };
    const records = [ago(1_000), ago(35_000)];
    const all = { records, searched, hasOlder: false, hasNewer: false };
    assert.deepEqual(loadedTime(all), searched);
    assert.deepEqual(loadedTime({ ...all, hasOlder: true }), { from: NOW - 35_000, to: NOW });
    const later = { from: NOW - 35_000, to: NOW - 1_000 };
    assert.deepEqual(loadedTime({ ...all, hasOlder: true, hasNewer: true }), later);
    assert.deepEqual(loadedTime({ ...all, records: [], hasOlder: true }), searched);
  });

  it('distinguishes refused requests from failed ones', () => {
    const found = [0, 200, 304, 400, 499, 500, 503].map((status) => outcomeOf({ status }));
    assert.deepEqual(found, ['done', 'done', 'done', 'refused', 'refused', 'failed', 'failed']);
  });
});

const record = (operation: string, target: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  ...{ time: '2026-01-01T00:00:00.000Z', requestId: 'r', operation, target, status: 200, outcome: 'ok' },
  ...{ subject: 'anna', issuer: 'local', before: 'b', after: 'a', ...more },
});

describe('the sentence of a record', () => {
  it('is known for every audited operation', () => {
    const audited = describeOperations().flatMap(({ name, row }) => (row.audited ? [name] : []));
    assert.deepEqual(audited.filter((name) => !(name in ACTS)), []); // prettier-ignore
  });

  it('names the object, and what changed in the units of people', () => {
    const change = {
      ...{ seq: 1, left: 4 },
      differences: [
        { pointer: '/properties/properties/timeouts/totalMs', kind: 'changed', before: 5000, after: 10_000 },
        { pointer: '/properties/brokers', kind: 'added', after: ['device', 'inventory'] },
        { pointer: '/properties/properties/stub', kind: 'changed', before: true, after: false },
        { pointer: '/properties/properties/headers', kind: 'removed' },
      ],
    } as const;
    assert.equal(
      sentenceOf(record('adapters.updateAdapter', '/adapters/nso1.example.com'), change),
      'changed the adapter nso1.example.com: timeouts.total 5 s to 10 s, brokers set to device and inventory, stub yes to no, 5 more',
    );
  });

  it('tells apart what was done, tried, created and approved', () => {
    for (const [operation, target, more, expected] of [
      ['adapters.stopAdapter', '/adapters/edge%201/stop', {}, 'stopped the adapter edge 1'],
      ['adapters.stopAdapter', '/adapters/nso1/stop', { status: 403 }, 'tried to stop the adapter nso1'],
      ['adapters.createAdapter', '/adapters nso1', {}, 'created the adapter nso1'],
      ['adapters.importAdapter', '/adapters/import nso1', {}, 'imported the adapter nso1'],
      ['access-rules.putAccessRule', '/access/rules/noc', { before: '' }, 'created the access rule noc'],
      ['access-rules.putAccessRule', '/access/rules/noc', {}, 'changed the access rule noc'],
      ['tasks.finishTask', '/json-forms/tasks/65f/outcome approved', {}, 'approved the task 65f'],
      [
        ...['orchestrator-manager.restQuery', '/nso_manager/restQuery/nso1 GET /restconf/data'],
        {},
        'called nso1: GET /restconf/data',
      ],
      ['login.login', '/login', { status: 401 }, 'tried to sign in'],
      ['future.operation', '/future/x', {}, 'called future.operation'],
    ] as const)
      assert.equal(sentenceOf(record(operation, target, more)), expected);
  });
});

describe('the search of the audit trail', () => {
  const trailReads = new URLSearchParams({
    excludeOperations: 'audit.getAudit,audit.exportAuditCsv,audit.exportAuditJsonLines,console.getRequest',
  }).toString();

  it('sends the filled-in filters only', () => {
    assert.equal(auditPath(NO_FILTERS, 10), `/audit?${trailReads}&limit=10&changes=true`);
    const path = auditPath({ ...NO_FILTERS, subject: ' ada ', target: '/a b', page: '3' }, 10);
    assert.equal(path, `/audit?subject=ada&target=%2Fa+b&${trailReads}&limit=10&changes=true`);
  });

  it('sends the time of the address as since and until', () => {
    const time = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
    const query = 'since=2026-01-01T00%3A00%3A00Z&until=2026-01-01T01%3A00%3A00Z';
    assert.equal(
      auditPath({ ...NO_FILTERS, ...time }, 10),
      `/audit?${query}&${trailReads}&limit=10&changes=true`,
    );
    assert.equal(exportPath({ ...NO_FILTERS, ...time, reads: 'show' }, 'csv'), `/audit/export.csv?${query}`);
  });

  it('leaves nothing out of a search for an operation or a request, or when all records are wanted', () => {
    for (const filter of [{ operation: 'x' }, { requestId: 'x' }, { search: 'x' }, { reads: 'show' }])
      assert.ok(!auditPath({ ...NO_FILTERS, ...filter }, 10).includes('excludeOperations'));
  });

  it('looks an id up, and sends other words as a text', () => {
    const id = '0190f3a4-6f5e-7c1d-9b2a-3c4d5e6f7a8b';
    assert.equal(
      auditPath({ ...NO_FILTERS, search: ` ${id} ` }, 10),
      `/audit?requestId=${id}&limit=10&changes=true`,
    );
    assert.equal(
      auditPath({ ...NO_FILTERS, search: 'edge-berlin' }, 10),
      '/audit?search=edge-berlin&limit=10&changes=true',
    );
  });

  it('leaves out every audited operation that only reads', () => {
    const excluded = new URLSearchParams(auditPath({ ...NO_FILTERS, reads: 'hide' }).slice('/audit?'.length));
    assert.deepEqual(excluded.get('excludeOperations')?.split(','), AUDITED_READS);
    const audited = describeOperations().filter(({ row }) => row.audited);
    const names = new Set(audited.map(({ name }) => name));
    for (const name of AUDITED_READS) assert.ok(names.has(name), name);
    // The callback of an identity provider signs a person in.
    const reads = audited.filter(
      ({ name, row }) => row.method === 'GET' && !row.changes && name !== 'login.finishSignIn',
    );
    for (const { name } of reads) assert.ok(AUDITED_READS.includes(name), name);
  });

  it('exports what it finds, on all pages', () => {
    const actual = exportPath({ ...NO_FILTERS, subject: 'ada', before: '12-34' }, 'csv');
    assert.equal(actual, `/audit/export.csv?subject=ada&${trailReads}`);
    assert.equal(exportPath({ ...NO_FILTERS, reads: 'show' }, 'jsonl'), '/audit/export.jsonl');
  });

  it('links to records with the same operation', () => {
    const link = auditLink({ operation: 'profiles.updateProfile' });
    assert.equal(link, '/audit?operation=profiles.updateProfile');
  });
});
