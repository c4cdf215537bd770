import assert from 'node:assert/strict';
import request from 'supertest';
import { Problem } from '../../src/core/problem.js';
import type { AuditTrail } from '../../src/features/audit/audit-trail.js';
import { columns } from '../support/columns.js';
import { ask, buildTestApi, type Actions, memoryAudit, TOKENS } from '../support/http-server.js';

const asAdmin = { authorization: `Bearer ${TOKENS.admin}`, 'x-request-id': 'id-1' };

interface Case {
  readonly audit?: Partial<AuditTrail>;
  readonly action?: NonNullable<Actions[string]>;
}

const KNOWN_SECRET = 'kn0wn-s3cret';

/** Makes one audited call. Returns the reply, the records, the log lines, and whether the handler ran. */
async function call({ audit: faults = {}, action = () => ({ body: 'done', outcome: '204' }) }: Case = {}) {
  const { audit, records } = memoryAudit();
  let done = 0;
  const startThing: typeof action = (given) => {
    done += 1;
    return action(given);
  };
  let now = 1_000;
  const clock = { now: () => (now += 5) };
  const redact = (text: string) => text.replaceAll(KNOWN_SECRET, '[redacted]');
  const deps = { audit: { ...audit, ...faults }, clock, redact };
  const { handler, lines } = buildTestApi({ actions: { startThing }, deps });
  const { status, body } = await ask(request(handler).put('/old_demo/things/a/start?b=c').set(asAdmin));
  return { status, body: body as { code: string; detail: string }, records, lines, done };
}

const fullDisk = () => Promise.reject(new Error('ENOSPC'));

describe('an audited operation', () => {
  it('appends a record of a success', async () => {
    const { status, records } = await call();
    assert.equal(status, 200);
    assert.deepEqual(records, [
      {
        time: '1970-01-01T00:00:01.010Z',
        requestId: 'id-1',
        operation: 'demo.startThing',
        subject: 'ada',
        issuer: 'https://idp.test',
        target: '/old_demo/things/a/start',
        status: 200,
        outcome: '204',
        durationMs: 5,
        before: '',
        after: '',
        clientAddress: '127.0.0.1',
      },
    ]);
  });

  it('records digests of the states before and after', async () => {
    const change = { before: { size: 1 }, after: { size: 2 } };
    const { records } = await call({ action: () => ({ body: 'done', change }) });
    assert.deepEqual(
      [records[0]?.before, records[0]?.after],
      ['digest of {"size":1}', 'digest of {"size":2}'],
    );
  });

  it('records a change whose digest fails', async () => {
    const digest = () => {
      throw new Error('circular');
    };
    const action = () => ({ body: 'done', change: { after: {} } });
    const { status, records, lines } = await call({ action, audit: { digest } });
    assert.deepEqual([status, records[0]?.before, records[0]?.after], [200, '', '']);
    assert.ok(lines.some(({ message }) => message === 'state digest failed; recording without a digest'));
  });

  it('records and logs the reason of an orchestrator', async () => {
    const reason = 'data-exists:\n  eth0 exists';
    const { records, lines } = await call({ action: () => ({ body: 'done', outcome: '409', reason }) });
    assert.deepEqual([records[0]?.outcome, records[0]?.reason], ['409', 'data-exists: eth0 exists']);
    const access = lines.find(({ message }) => message === 'request');
    assert.deepEqual(
      [access?.fields['outcome'], access?.fields['reason']],
      ['409', 'data-exists: eth0 exists'],
    );
    const failed = await call({
      action: () => {
        throw new Problem('upstream_rejected', 'no such site', { status: 404, reason: 'no such site' });
      },
    });
    assert.deepEqual([failed.records[0]?.status, failed.records[0]?.reason], [404, 'no such site']);
  });

  it('removes secrets from a reason before it truncates the reason', async () => {
    const reason = `wrong Bearer abc.def ${'x'.repeat(969)} ${KNOWN_SECRET} tail`;
    const { records } = await call({ action: () => ({ body: 'done', outcome: '401', reason }) });
    assert.match(records[0]?.reason ?? '', /^wrong Bearer \[redacted\] x+ \[red\w*$/);
    assert.equal(records[0]?.reason?.length, 1000);
  });

  it('appends a record of a failure, and of an unexpected error, which it hides', async () => {
    for (const [error, status, outcome, errors] of [
      [new Problem('upstream_timeout', 'slow'), 504, 'upstream_timeout', 0],
      [new Error('bug'), 500, 'internal', 1],
    ] as const) {
      const failed = await call({ action: () => Promise.reject(error) });
      assert.equal(failed.status, status);
      assert.deepEqual(columns(failed.records, 'status', 'outcome'), [[status, outcome]]);
      assert.equal(failed.lines.filter(({ level }) => level === 'error').length, errors);
    }
  });

  it('appends the record before the reply', async () => {
    const order: string[] = [];
    const { lines } = await call({
      audit: {
        append: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          order.push('recorded');
        },
      },
    });
    assert.deepEqual([...order, lines[0]?.message], ['recorded', 'request']);
  });

  for (const [what, reserve] of [
    ['has no room', () => false],
    ['works again too late', () => Promise.resolve(false)],
    ['fails to report its state', fullDisk],
  ] as const)
    it(`does not run when the audit trail ${what}`, async () => {
      const { status, body, records, done } = await call({ audit: { reserve } });
      assert.deepEqual([status, body.code, done, records.length], [503, 'audit_unavailable', 0, 0]);
      assert.match(body.detail, /^The call was not carried out/);
    });

  it('reserves room for its record before it runs, and frees the room if it needs no record (bug: a full disk was found after the action)', async () => {
    const steps: string[] = [];
    let held = 0;
    const { audit } = memoryAudit();
    const counting: Partial<AuditTrail> = {
      reserve: (bytes) => {
        steps.push('reserved');
        held += bytes;
        return true;
      },
      release: (bytes) => {
        held -= bytes;
      },
      append: (record, reserved = 0) => {
        steps.push('recorded');
        held -= reserved;
        return audit.append(record);
      },
    };
    for (const didNothing of [undefined, true] as const) {
      await call({
        audit: counting,
        action: () => {
          steps.push(`runs with ${Math.sign(held)}`);
          return { body: 'done', ...(didNothing && { didNothing }) };
        },
      });
      assert.equal(held, 0);
    }
    assert.deepEqual(steps, ['reserved', 'runs with 1', 'recorded', 'reserved', 'runs with 1']);
  });

  it('reports an action that was carried out but not recorded', async () => {
    const { status, body, done, lines } = await call({ audit: { append: fullDisk } });
    assert.deepEqual([status, body.code, done], [503, 'audit_unavailable', 1]);
    assert.match(body.detail, /^The action was carried out \(it ended with status 200\) but not recorded\./);
    const [line] = lines;
    assert.deepEqual(
      [line?.level, line?.message, line?.fields['requestId']],
      ['error', 'audit record lost', 'id-1'],
    );
  });

  it('says that an unrecorded action failed, and not that it was carried out', async () => {
    const action = () => Promise.reject(new Problem('store_full', 'The disk is full.'));
    const { status, body } = await call({ audit: { append: fullDisk }, action });
    assert.deepEqual([status, body.code], [503, 'audit_unavailable']);
    assert.match(body.detail, /^The action failed with status 507 and was not recorded\./);
  });

  it('logs both errors when the handler and the record fail', async () => {
    const bug = new Error('bug');
    const { status, lines } = await call({ audit: { append: fullDisk }, action: () => Promise.reject(bug) });
    assert.equal(status, 503);
    const errors = lines.map(({ fields }) => fields['error']).filter((error) => error instanceof Error);
    assert.deepEqual(
      errors.map(({ message, cause }) => [message, (cause as Error | undefined)?.message]),
      [
        ['ENOSPC', undefined],
        ['Something went wrong on our side.', 'bug'],
      ],
    );
  });

  it('is the only kind of operation that uses the audit trail', async () => {
    // Each use of this audit trail fails.
    const { handler } = buildTestApi({ deps: { audit: {} as AuditTrail } });
    assert.equal((await request(handler).get('/demo/things/a').set(asAdmin)).status, 200);
  });

  it('appends no record of a request that is refused before it runs', async () => {
    const { handler, records } = buildTestApi();
    assert.equal((await request(handler).put('/demo/things/a/start')).status, 401);
    assert.equal((await request(handler).put('/demo/things/a').set(asAdmin).send({})).status, 400);
    assert.equal(records.length, 0);
  });
});
