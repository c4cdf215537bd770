import assert from 'node:assert/strict';
import request from 'supertest';
import type { AnsweredRequest } from '../../src/core/metric.js';
import { type Application, bindApplication } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import type { ServerSpan, Tracer } from '../../src/core/trace.js';
import { buildTestApi } from '../support/http-server.js';

const probes: Application<object> = {
  name: 'probes',
  summary: 'For this test.',
  prefixes: ['/probes'],
  operations: [
    {
      id: 'getState',
      summary: 'Get the state.',
      method: 'GET',
      path: '/state',
      roles: 'public',
      reply: {},
      probe: true,
      handle({ query }) {
        if (query.has('fail')) throw new Problem('not_ready', 'vault: down');
        return { body: {} };
      },
    },
    {
      id: 'getMetrics',
      summary: 'Get the metrics.',
      method: 'GET',
      path: '/metrics',
      roles: ['admin'],
      reply: {},
      probe: true,
      handle: () => ({ body: {} }),
    },
  ],
};

describe('finding O16: a probe', () => {
  const measured: AnsweredRequest[] = [];
  const spans: number[] = [];
  const tracer = {
    receive: (): Partial<ServerSpan> => ({ traceId: 'a', end: ({ status }) => spans.push(status) }),
  } as unknown as Tracer;
  const { handler, lines } = buildTestApi({
    operations: bindApplication(probes, {}),
    deps: { tracer, measure: (answered) => measured.push(answered) },
  });
  const get = async (path: string) => (await request(handler).get(path)).status;
  const statuses = () => lines.map(({ fields }) => fields['status']);

  it('that succeeds is counted, and neither logged nor traced', async () => {
    assert.equal(await get('/probes/state'), 200);
    assert.deepEqual([statuses(), spans, measured.length], [[], [], 1]);
  });

  it('that fails is logged and traced', async () => {
    assert.deepEqual([await get('/probes/state?fail'), await get('/probes/metrics')], [503, 401]);
    assert.deepEqual([statuses(), spans, measured.length], [[503, 401], [503, 401], 3]);
  });

  it('with another method, or at another path, is logged', async () => {
    lines.length = 0;
    assert.deepEqual(
      [(await request(handler).post('/probes/state')).status, await get('/probes/other')],
      [405, 404],
    );
    assert.deepEqual(statuses(), [405, 404]);
  });
});
