import assert from 'node:assert/strict';
import request from 'supertest';
import type { AnsweredRequest } from '../../src/core/metric.js';
import { bindApplication } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import type { ServerSpan, Tracer } from '../../src/core/trace.js';
import { buildTestApi, demo, operationRow } from '../support/http-server.js';

const polled: typeof demo = {
  ...demo,
  operations: [
    operationRow('getState', 'GET', {
      path: '/state',
      roles: 'public',
      polled: true,
      handle({ query }) {
        if (query.has('fail')) throw new Problem('not_ready', 'vault: down');
        return { body: {} };
      },
    }),
    operationRow('getMetrics', 'GET', { path: '/metrics', polled: true }),
  ],
};

describe('finding O16: a request to an operation that monitors poll', () => {
  const measured: AnsweredRequest[] = [];
  const spans: number[] = [];
  const tracer = {
    receive: (): Partial<ServerSpan> => ({ traceId: 'a', end: ({ status }) => spans.push(status) }),
  } as unknown as Tracer;
  const { handler, lines } = buildTestApi({
    operations: bindApplication(polled, {}),
    deps: { tracer, measure: (answered) => measured.push(answered) },
  });
  const get = async (path: string) => (await request(handler).get(path)).status;
  const statuses = () => lines.map(({ fields }) => fields['status']);

  it('that succeeds is counted, and neither logged nor traced', async () => {
    assert.equal(await get('/demo/state'), 200);
    assert.deepEqual([statuses(), spans, measured.length], [[], [], 1]);
  });

  it('that fails is logged and traced', async () => {
    assert.deepEqual([await get('/demo/state?fail'), await get('/demo/metrics')], [503, 401]);
    assert.deepEqual([statuses(), spans, measured.length], [[503, 401], [503, 401], 3]);
  });

  it('with another method, or at another path, is logged', async () => {
    lines.length = 0;
    assert.deepEqual(
      [(await request(handler).post('/demo/state')).status, await get('/demo/other')],
      [405, 404],
    );
    assert.deepEqual(statuses(), [405, 404]);
  });
});

describe('a span that is not recorded', () => {
  it('is not ended, so that its request is not described; another is', async () => {
    const ended: boolean[] = [];
    for (const isRecording of [true, false]) {
      const tracer = {
        receive: (): Partial<ServerSpan> => ({ isRecording, end: () => ended.push(isRecording) }),
      } as unknown as Tracer;
      const { handler } = buildTestApi({ operations: bindApplication(polled, {}), deps: { tracer } });
      assert.equal((await request(handler).get('/demo/other')).status, 404);
    }
    assert.deepEqual(ended, [true]);
  });
});
