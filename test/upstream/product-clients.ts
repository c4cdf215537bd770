import { openHttpClient } from '../../src/upstream/client.js';
import { openEgress } from '../../src/upstream/egress-caller.js';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';
import { bodyOf, streamRequest } from '../support/stream-request.js';
import { neverAborted } from './upstreams.js';

/** What a client of the product received. */
interface Received {
  readonly status: number;
  readonly body: string;
}

/** An open client of the product. */
interface OpenClient {
  send(method: string, path?: string): Promise<Received>;
  close(): Promise<void>;
}

/** A client of the product: its name, and how it is opened for one origin. */
export interface ProductClient {
  readonly name: string;
  open(origin: string): OpenClient;
}

/** Calls of adapters: restAction, restQuery, methods, health probes. They have no retries here. */
const ADAPTER_CALLS: ProductClient = {
  name: 'a call of an adapter',
  open(origin) {
    const upstream = openUpstream(withoutRetries({ baseUrl: origin }), {});
    return {
      async send(method, path = '/') {
        const { status, body } = await upstream.send({ method, path, headers: {} }, neverAborted());
        return { status, body: body.toString() };
      },
      close: () => upstream.close(),
    };
  },
};

/** Streams of `/proxy`. */
export const STREAMS: ProductClient = {
  name: 'a stream of the proxy',
  open(origin) {
    const upstream = openUpstream(withoutRetries({ baseUrl: origin }), {});
    return {
      async send(method, path = '/') {
        const reply = await upstream.pass?.(streamRequest({ method, path }), neverAborted());
        if (!reply) throw new Error('the upstream forwards no requests');
        return { status: reply.status, body: await bodyOf(reply) };
      },
      close: () => upstream.close(),
    };
  },
};

/** Vault, identity providers, key sets, introspection, telemetry, and the commands that call a server. */
export const PLAIN_CLIENT: ProductClient = {
  name: 'a request to Vault or an identity provider',
  open(origin) {
    const client = openHttpClient({ connections: 1 });
    return {
      async send(method, path = '/') {
        const request = { method, url: `${origin}${path}`, headers: {} };
        const { status, body } = await client.send(request, { totalMs: 20_000, replyBytes: 100_000 });
        return { status, body: body.toString() };
      },
      close: () => client.close(),
    };
  },
};

/** restCall and notifications. They send no HEAD. */
export const EGRESS: ProductClient = {
  name: 'a call to an address of a caller',
  open(origin) {
    const { policy } = parseEgress({ allow: ['127.0.0.1'], deny: [], public: true });
    const limits = { concurrent: 1, concurrentPerSubject: 1, memoryBytes: 10_000_000 };
    const egress = openEgress(policy, { ...limits, maxReplyBytes: 100_000, timeoutMs: 20_000 });
    return {
      async send(method, path = '/') {
        const call = { uri: `${origin}${path}`, method: method as 'GET', headers: {}, subject: 'ada' };
        const { status, body, release } = await egress.call(call, neverAborted());
        release();
        return { status, body: body.toString() };
      },
      close: () => Promise.resolve(),
    };
  },
};

/** All clients of the product that send HTTP requests to servers of others. */
export const PRODUCT_CLIENTS: readonly ProductClient[] = [ADAPTER_CALLS, STREAMS, PLAIN_CLIENT, EGRESS];

/** Returns the settings of an adapter that repeats no call and has no circuit breaker. */
function withoutRetries(written: WrittenAdapter) {
  return adapterSettings({ retry: { attempts: 1 }, breaker: { failures: 0 }, ...written });
}
