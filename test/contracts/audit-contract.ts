import assert from 'node:assert/strict';
import type { AuditTrail, AuditQuery, ChainVerification } from '../../src/features/audit/audit-trail.js';
import { auditRecord } from '../support/audit-record.js';
import { columns } from '../support/columns.js';

export interface AuditPlace {
  /** Opens the same trail repeatedly. The trail is empty at first. */
  readonly open: () => Promise<AuditTrail>;
  readonly verify: () => Promise<ChainVerification>;
}

const minute = (at: number): string => `2026-01-02T03:${String(at).padStart(2, '0')}:00.000Z`;

/** Defines the tests of every audit trail, independent of its storage. */
export function auditContract({ open, verify }: AuditPlace): void {
  let trail: AuditTrail;
  before(async () => {
    trail = await open();
  });
  after(() => trail.close());

  const idsOf = async (query: Partial<AuditQuery>): Promise<readonly string[]> =>
    (await trail.find({ limit: 1000, ...query })).results.map(({ requestId }) => requestId);

  it('is intact when it is empty', async () => {
    const { whole, records } = await verify();
    assert.deepEqual([whole, records], [true, 0]);
    assert.deepEqual(await trail.find({ limit: 10 }), { results: [] });
  });

  describe('with sixty records, written before and after a restart', () => {
    const ids = Array.from({ length: 60 }, (_, at) => `r${at}`);
    before(async () => {
      const append = (id: string, at: number): Promise<void> =>
        trail.append(
          auditRecord(id, {
            time: minute(at),
            subject: at % 2 === 0 ? 'ada' : 'bob',
            ...(at % 3 === 0 && { issuer: 'https://other.example', name: `Ada "${at}"` }),
            status: at % 10 === 0 ? 503 : 200,
            target: `/things/${at} \u2028 it's "so"`,
            durationMs: at / 7,
            after: at === 3 ? trail.digest({ a: 1 }) : '',
          }),
        );
      await Promise.all(ids.slice(0, 30).map(append));
      await trail.close();
      trail = await open();
      await Promise.all(ids.slice(30).map((id, at) => append(id, at + 30)));
    });

    it('chains the records in the order of the calls', async () => {
      const { results } = await trail.find({ limit: 1000 });
      assert.deepEqual(columns(results, 'requestId', 'seq'), ids.map((id, at) => [id, at + 1]).reverse());
      assert.equal(results[0]?.prev, results[1]?.hash);
      const { whole, records, last } = await verify();
      assert.deepEqual([whole, records, last], [true, 60, { seq: 60, hash: results[0]?.hash }]);
    });

    it('returns the name of a caller if the record has one', async () => {
      const { results } = await trail.find({ limit: 4 });
      assert.deepEqual(
        results.map((entry) => entry.name),
        [undefined, undefined, 'Ada "57"', undefined],
      );
      assert.equal('name' in (results[0] ?? {}), false);
    });

    it('finds records by each filter and by all filters together', async () => {
      assert.deepEqual(await idsOf({ requestId: 'r7' }), ['r7']);
      assert.equal((await idsOf({ subject: 'bob' })).length, 30);
      assert.deepEqual(await idsOf({ operation: 'none' }), []);
      assert.equal((await idsOf({ issuer: 'https://other.example' })).length, 20);
      assert.equal((await idsOf({ issuer: 'https://other.example', subject: 'bob' })).length, 10);
      assert.equal((await idsOf({ status: 503 })).length, 6);
      assert.deepEqual(await idsOf({ target: '/59 ' }), ['r59']);
      assert.deepEqual(await idsOf({ since: minute(57) }), ['r59', 'r58', 'r57']);
      assert.deepEqual(await idsOf({ until: minute(2) }), ['r1', 'r0']);
      const all = { since: minute(10), until: minute(30), subject: 'ada', status: 503, target: '/things/2' };
      assert.deepEqual(await idsOf(all), ['r20']);
    });

    it('pages through the records while new ones are written', async () => {
      const seen: string[] = [];
      let before: string | undefined;
      do {
        const { results, next } = await trail.find({ limit: 7, subject: 'ada', ...(before && { before }) });
        seen.push(...results.map(({ requestId }) => requestId));
        before = next;
        await trail.append(auditRecord('new', { subject: 'ada' }));
      } while (before !== undefined);
      assert.deepEqual(
        seen,
        Array.from({ length: 30 }, (_, at) => `r${58 - 2 * at}`),
      );
    });

    it('returns nothing for a time after the last record', async () => {
      const page = await trail.find({ limit: 1000, since: '2026-02-01T00:00:00.000Z' });
      assert.deepEqual(page, { results: [] });
    });

    it('rejects an invalid cursor', async () => {
      for (const before of ['x', '-1', '1-', '99999999999999999999', "1' or 1=1"])
        await assert.rejects(trail.find({ limit: 1, before }), { code: 'invalid_request' }, before);
    });

    it('stores characters that databases reject and stays intact', async () => {
      await trail.append(auditRecord('odd', { target: 'a\0b\ud800c', subject: '😀' }));
      const [odd] = (await trail.find({ limit: 1 })).results;
      assert.match(odd?.target ?? '', /^a.b.c$/su);
      assert.equal(odd?.subject, '😀');
      assert.equal((await verify()).whole, true);
    });
  });
}
