import assert from 'node:assert/strict';
import { createCallCounter } from '../../../src/api/legacy/call-counter.js';
import { deprecationHeaders, type DeprecationNotice } from '../../../src/api/legacy/deprecated-operation.js';
import { silentLog } from '../../../src/core/log.js';
import { Problem } from '../../../src/core/problem.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const stopModule: DeprecationNotice = {
  name: 'deprecations.stopModule',
  route: 'GET /modules/stop/:module',
  deprecatedIn: '2020.2',
  removedIn: '2021.2',
  replacements: ['PUT /adapters/:name/stop', 'PUT /applications/:name/stop'],
};

function noticeAt(
  release: string,
  noticed: DeprecationNotice = stopModule,
  params: Readonly<Record<string, string>> = { module: 'edge 1/2' },
) {
  // prettier-ignore
  const deprecatedCalls = createCallCounter({ clock: createFakeScheduler(), log: silentLog });
  const call = { params, address: '192.0.2.1' };
  const calls = () => deprecatedCalls.countOf(noticed.name)?.calls ?? 0;
  return { tell: () => deprecationHeaders(noticed, call, { release, deprecatedCalls }), calls };
}

const HEADERS = {
  deprecation: '@1585699200',
  sunset: 'Thu, 01 Apr 2021 00:00:00 GMT',
  link: '</adapters/edge%201%2F2/stop>; rel="successor-version", </applications/edge%201%2F2/stop>; rel="successor-version"',
};

describe('what callers of a deprecated operation are told', () => {
  it('is nothing while it is current, and nobody counts', () => {
    const { tell, calls } = noticeAt('2020.1');
    assert.deepEqual([tell(), calls()], [{}, 0]);
  });

  it('is since when, until when and what instead, in headers', () => {
    const { tell, calls } = noticeAt('2020.2');
    assert.deepEqual([tell(), calls()], [HEADERS, 1]);
  });

  it('is a refusal once it is removed, which names what to use', () => {
    const { tell, calls } = noticeAt('2021.2');
    assert.throws(tell, (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.code, error.status], ['operation_removed', 410]);
      assert.equal(
        error.message,
        'GET /modules/stop/:module was removed in release 2021.2. Use PUT /adapters/:name/stop or PUT /applications/:name/stop instead.',
      );
      assert.deepEqual(error.extras.headers, HEADERS);
      return true;
    });
    assert.equal(calls(), 1);
  });

  it('has no link where nothing is in its place, and leaves parameters that stand in the body as they are', () => {
    const { tell } = noticeAt('2020.2', { ...stopModule, replacements: [] });
    const { link, ...rest } = tell();
    assert.deepEqual([link, Object.keys(rest)], [undefined, ['deprecation', 'sunset']]);
    assert.throws(noticeAt('2021.2', { ...stopModule, replacements: [] }).tell, /There is no replacement\./);
    const inBody = noticeAt('2020.2', { ...stopModule, replacements: ['PUT /profiles/:id/active'] }, {});
    assert.equal(inBody.tell()['link'], '</profiles/:id/active>; rel="successor-version"');
  });

  it('survives every name: no header can be broken by one', () => {
    const { tell } = noticeAt('2020.2', stopModule, { module: '>; rel="x"\r\nSet-Cookie: a=b$&é' });
    assert.match(
      tell()['link'] ?? '',
      /^<\/adapters\/%3E%3B%20rel%3D%22x%22%0D%0ASet-Cookie%3A%20a%3Db%24%26%C3%A9\/stop>/,
    );
  });
});
