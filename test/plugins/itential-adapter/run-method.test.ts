import assert from 'node:assert/strict';
import type { CommunityAdapter } from '../../../plugins/itential-adapter/community-adapter.js';
import type { GenericOutcome } from '../../../plugins/itential-adapter/messages.js';
import { resultOf } from '../../../plugins/itential-adapter/method-result.js';
import { runMethod } from '../../../plugins/itential-adapter/run-method.js';
import { Problem } from '../../../src/core/problem.js';

type Done = (result?: unknown, error?: unknown) => void;

/** Runs a method of an adapter that has only this method; resolves to its first outcome. */
function run(method: (...args: never[]) => unknown, ...args: readonly unknown[]): Promise<GenericOutcome> {
  return new Promise((resolve) => {
    runMethod({ method } as unknown as CommunityAdapter, { method: 'method', args }, resolve);
  });
}

describe('runMethod', () => {
  it('calls the method with its arguments and a function to call back, and returns the result as JSON', async () => {
    const method = (a: string, b: unknown, done: Done): void => {
      done({ icode: 'AD.200', response: [a, b] });
    };
    const json = '{"icode":"AD.200","response":["r1",null]}';
    assert.deepEqual(await run(method, 'r1', null), { kind: 'result', json, isReply: true });
  });

  const SENT = { icode: 'AD.200', reqHdr: { Authorization: 'Bearer t' }, response: { request: 1 } };
  const RAW = '{ "id": 12345678901234567, "ratio": 1.0 }';
  const RESULTS: Readonly<Record<string, readonly [result: unknown, json: string, isReply?: true]>> = {
    'removes the request of the adapter and the cookies': [
      {
        icode: 'AD.200',
        headers: { 'Set-Cookie': ['sid=1'], etag: 'x' },
        reqHdr: { Authorization: 'Bearer t' },
        request: { payload: 'p' },
        requestCookie: 'sid=1',
        response: { headers: { 'set-cookie': 'of the data' } },
      },
      '{"icode":"AD.200","headers":{"etag":"x"},"response":{"headers":{"set-cookie":"of the data"}}}',
      true,
    ],
    'removes the request in lists and in members (bug: the credentials stayed)': [
      [{ results: [SENT], at: new Date(0), list: [{ request: 7 }] }],
      '[{"results":[{"icode":"AD.200","response":{"request":1}}],"at":"1970-01-01T00:00:00.000Z","list":[{"request":7}]}]',
    ],
    'returns the text of an unchanged reply, so that no number loses a digit, and no second copy of it': [
      { icode: 'AD.200', response: JSON.parse(RAW) as unknown, raw: RAW, late: undefined },
      `{"icode":"AD.200","response":${RAW}}`,
      true,
    ],
    'returns a reply that is not the received one without the received one': [
      { icode: 'AD.200', response: { id: 7 }, raw: RAW },
      '{"icode":"AD.200","response":{"id":7}}',
      true,
    ],
    'returns null for a method that calls back without a result': [undefined, 'null'],
  };
  for (const [title, [result, json, isReply]] of Object.entries(RESULTS))
    it(title, async () => {
      const outcome = await run((called: Done) => {
        called(result);
      });
      assert.deepEqual(outcome, { kind: 'result', json, ...(isReply && { isReply }) });
    });

  it('removes the request from the body of an error (bug: the credentials stayed)', async () => {
    const error = (response: object) => ({ icode: 'AD.500', IAPerror: { code: 409 }, response });
    const bodyFor = async (response: object) => {
      const outcome = await run((done: Done) => {
        done(null, error(response));
      });
      return outcome.kind === 'error' ? outcome.body?.text : undefined;
    };
    const reply = { error: 'conflict', reqHdr: { Authorization: 'Bearer t' }, request: { payload: 'p' } };
    assert.equal(await bodyFor(reply), '{"error":"conflict"}');
    // Without the headers of the adapter, the body is data of the orchestrator.
    assert.equal(await bodyFor({ request: 7 }), '{"request":7}');
  });

  it('returns the first outcome of a method that calls back twice, and then throws', () => {
    const outcomes: GenericOutcome[] = [];
    const method = (done: Done): void => {
      done('first');
      done('second');
      throw new Error('late');
    };
    runMethod({ method } as unknown as CommunityAdapter, { method: 'method', args: [] }, (outcome) => {
      outcomes.push(outcome);
    });
    assert.deepEqual(outcomes, [{ kind: 'result', json: '"first"' }]);
  });

  it('returns an error for a method that throws, that rejects, or whose result is not JSON', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const throwing = (): void => {
      throw new Error('thrown');
    };
    const misreporting = (done: Done): void => {
      done(circular);
    };
    for (const [method, message] of [
      [throwing, 'thrown'],
      [() => Promise.reject(new Error('rejected')), 'rejected'],
      [misreporting, 'the method gave a result that is not JSON'],
    ] as const)
      assert.deepEqual(await run(method), { kind: 'error', icode: 'AD.999', message });
  });
});

describe('resultOf', () => {
  const problemOf = (outcome: GenericOutcome): unknown[] => {
    try {
      resultOf(outcome);
    } catch (error) {
      assert.ok(error instanceof Problem);
      return [error.code, error.status, error.message, error.extras.upstream];
    }
    return assert.fail('no Problem');
  };
  const body = { text: '{"a":1}', isJson: true };
  const failed = (code: number, icode = 'AD.500'): GenericOutcome => ({
    kind: 'error',
    icode,
    message: 'words',
    code,
    body,
  });

  it('returns the bytes of a result', () => {
    assert.deepEqual(resultOf({ kind: 'result', json: '{"a":1}' }), { rawJson: Buffer.from('{"a":1}') });
  });

  it('maps the status of the orchestrator to a Problem with the words of the adapter', () => {
    const detail = 'the adapter reports AD.500: words';
    const upstream = (status: number) => ({ status, body: { a: 1 } });
    assert.deepEqual(problemOf(failed(409)), ['upstream_rejected', 409, detail, upstream(409)]);
    assert.deepEqual(problemOf(failed(401)), ['upstream_auth', 502, detail, upstream(401)]);
    assert.deepEqual(problemOf(failed(503)), ['upstream_failed', 502, detail, upstream(503)]);
  });

  it('maps an error without a reply by the code of the catalog', () => {
    assert.deepEqual(problemOf(failed(-2)).slice(0, 2), ['upstream_timeout', 504]);
    assert.deepEqual(problemOf(failed(0, 'AD.300')).slice(0, 2), ['invalid_request', 400]);
    assert.deepEqual(problemOf(failed(0, 'AD.402')).slice(0, 2), ['upstream_auth', 502]);
    assert.deepEqual(problemOf(failed(0, 'AD.600')).slice(0, 2), ['adapter_unavailable', 503]);
  });
});
