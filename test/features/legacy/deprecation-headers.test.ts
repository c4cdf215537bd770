import assert from 'node:assert/strict';
import { silentLog } from '../../../src/core/log.js';
import { Problem } from '../../../src/core/problem.js';
import { createCallCounter } from '../../../src/features/legacy/call-counter.js';
import {
  deprecationHeaders,
  type DeprecationNotice,
} from '../../../src/features/legacy/deprecated-operation.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { assertMembers } from '../../support/members.js';

const stopModule: DeprecationNotice = {
  ...{ name: 'deprecations.stopModule', route: 'GET /modules/stop/:module' },
  ...{ deprecatedIn: '2020.2', removedIn: '2021.2' },
  replacements: ['PUT /adapters/:name/stop', 'PUT /applications/:name/stop'],
};

const PARAMS: Readonly<Record<string, string>> = { module: 'edge 1/2' };

function noticeAt(release: string, noticed = stopModule, params = PARAMS) {
  const deprecatedCalls = createCallCounter({ clock: createFakeScheduler(), log: silentLog });
  const call = { params, address: '192.0.2.1' };
  const calls = () => deprecatedCalls.callsOf(noticed.name);
  return { headersOf: () => deprecationHeaders(noticed, call, { release, deprecatedCalls }), calls };
}

const HEADERS = {
  deprecation: '@1585699200',
  sunset: 'Thu, 01 Apr 2021 00:00:00 GMT',
  link: '</adapters/edge%201%2F2/stop>; rel="successor-version", </applications/edge%201%2F2/stop>; rel="successor-version"',
};

describe('deprecationHeaders', () => {
  it('adds nothing and counts nothing while the operation is current', () => {
    const { headersOf, calls } = noticeAt('2020.1');
    assert.deepEqual([headersOf(), calls()], [{}, 0]);
  });

  it('returns the deprecation date, the sunset date and the successors', () => {
    const { headersOf, calls } = noticeAt('2020.2');
    assert.deepEqual([headersOf(), calls()], [HEADERS, 1]);
  });

  it('throws operation_removed with the replacements once the operation is removed', () => {
    const { headersOf, calls } = noticeAt('2021.2');
    const use = 'Use PUT /adapters/:name/stop or PUT /applications/:name/stop instead.';
    const message = `GET /modules/stop/:module was removed in release 2021.2. ${use}`;
    assert.throws(headersOf, (error: unknown) => {
      assert.ok(error instanceof Problem);
      assertMembers(error, { code: 'operation_removed', status: 410 });
      assert.equal(error.message, message);
      assert.deepEqual(error.extras.headers, HEADERS);
      return true;
    });
    assert.equal(calls(), 1);
  });

  it('omits the link without a replacement and keeps path parameters that are absent from the call', () => {
    const without = { ...stopModule, replacements: [] };
    const { link, ...rest } = noticeAt('2020.2', without).headersOf();
    assert.deepEqual([link, Object.keys(rest)], [undefined, ['deprecation', 'sunset']]);
    assert.throws(noticeAt('2021.2', without).headersOf, /There is no replacement\./);
    const inBody = noticeAt('2020.2', { ...stopModule, replacements: ['PUT /profiles/:id/active'] }, {});
    assert.equal(inBody.headersOf()['link'], '</profiles/:id/active>; rel="successor-version"');
  });

  it('encodes every character of a parameter that could break the header', () => {
    const { headersOf } = noticeAt('2020.2', stopModule, { module: '>; rel="x"\r\nSet-Cookie: a=b$&é' });
    const encoded = '%3E%3B%20rel%3D%22x%22%0D%0ASet-Cookie%3A%20a%3Db%24%26%C3%A9';
    assert.ok(headersOf()['link']?.startsWith(`</adapters/${encoded}/stop>`));
  });
});
