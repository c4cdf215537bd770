import assert from 'node:assert/strict';
import type { AuditEntry } from '../../../src/features/audit/audit-trail.js';
import { changesOf } from '../../../src/features/audit/record-changes.js';
import { column } from '../../support/columns.js';

const entry = (seq: number, outcome: string, before = 'digest'): AuditEntry => ({
  ...{ time: '', requestId: 'r', operation: 'adapters.updateAdapter', subject: 'ada', issuer: 'local' },
  ...{ target: '/adapters/nso1.example.com', status: 200, outcome, durationMs: 1, before, after: 'a', seq },
});
const VERSIONS: Readonly<Record<number, unknown>> = {
  1: { a: 5000, b: { c: 1 }, list: [1] },
  2: { a: 10_000, b: { c: 1, d: 'x'.repeat(200) }, list: [1, 2] },
  9: {},
};
const versions = {
  mayRead: () => true,
  find: ({ revision }: { readonly revision: number }) => Promise.resolve(VERSIONS[revision]),
};
const ADA = { subject: 'ada', issuer: 'local', roles: ['auditor'], expiresAt: 4e9 };

describe('changesOf audit records', () => {
  it('returns the values that differ between the version of a record and the version before', async () => {
    const changes = await changesOf([entry(7, 'version 2 of adapter nso1.example.com')], ADA, versions);
    const differences = [
      { pointer: '/a', kind: 'changed', before: 5000, after: 10_000 },
      { pointer: '/b/d', kind: 'added' },
      { pointer: '/list', kind: 'changed', before: [1], after: [1, 2] },
    ];
    assert.deepEqual(changes, [{ seq: 7, left: 0, differences }]);
  });

  it('leaves out creations, other outcomes, and versions that are not stored any more', async () => {
    const records = [
      entry(1, 'version 2 of adapter nso1.example.com', ''),
      entry(2, 'ok'),
      entry(3, 'version 9 of adapter nso1.example.com'),
    ];
    assert.deepEqual(await changesOf(records, ADA, versions), []);
  });

  it('says how many differences it leaves out', async () => {
    const documents = [{}, Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, at]))];
    const [change] = await changesOf([entry(1, 'version 1 of limit x')], ADA, {
      ...versions,
      find: ({ revision }) => Promise.resolve(documents[revision]),
    });
    assert.deepEqual([change?.differences.length, change?.left], [5, 7]);
  });

  it('leaves out the changes of records whose versions the caller may not read', async () => {
    const records = [entry(1, 'version 2 of access-rule eng-lab'), entry(2, 'version 2 of limit x')];
    const changes = await changesOf(records, ADA, {
      ...versions,
      mayRead: ({ kind }, principal) => kind === 'limit' && principal === ADA,
    });
    assert.deepEqual(column(changes, 'seq'), [2]);
  });
});
