import type { Upstream } from '../../src/core/upstream.js';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import type { UpstreamOptions } from '../../src/upstream/upstream-options.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';
import { openedByTest } from '../support/opened.js';

export const GET = { method: 'GET', path: '/data', headers: {} } as const;
export const POST = { method: 'POST', path: '/data', headers: {}, body: Buffer.from('{}') } as const;

/** Password that the guarded orchestrator accepts. */
export const PASSWORD = 's3cret-of-ada';

const TOKEN_REQUEST = { path: '/api/login', body: { username: 'ada', password: PASSWORD } };
/** Login of an orchestrator with the demand `token`, as an operator configures it. */
export const TOKEN_LOGIN = {
  type: 'login',
  steps: [{ request: TOKEN_REQUEST, take: { token: '/data/0/token' } }],
  apply: { header: 'X-Auth-Token: {token}' },
};

/** First step of the login of an orchestrator with the demand `cookie`. */
export const COOKIE_REQUEST = { path: '/session', form: { j_username: 'ada', j_password: PASSWORD } };
/** Login of an orchestrator with the demand `cookie`. */
export const COOKIE_LOGIN = { type: 'login', steps: [{ request: COOKIE_REQUEST }] };

export const neverAborted = (): AbortSignal => new AbortController().signal;

/** Functions for the tests of a suite. */
interface UpstreamsOfTest {
  readonly opened: ReturnType<typeof openedByTest>;
  readonly open: (written: WrittenAdapter, options?: UpstreamOptions) => Upstream;
}

/** Returns a function that opens the upstream of an adapter file, and `opened`; both close after each test. */
export function upstreamsOfTest(): UpstreamsOfTest {
  const opened = openedByTest();
  return {
    opened,
    open(written, options) {
      const upstream = openUpstream(adapterSettings(written), {}, options);
      void opened(upstream);
      return upstream;
    },
  };
}
