import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { bindApplication } from '../../src/core/operation.js';
import { createApp } from '../../src/http/express-app.js';
import { createFastRouter } from '../../src/http/fast-router.js';
import type { RoutedExchange, Serve } from '../../src/http/pipeline.js';
import { demo } from '../support/http-server.js';

const HOT = { ...demo, operations: demo.operations.map((row) => ({ ...row, hot: true as const })) };

/** Creates both routers of the test API; each records the requests that it would serve. */
function createRouters() {
  const served: unknown[] = [];
  const serve: Serve = ({ name }, { params, query }: RoutedExchange) => {
    served.push([name, params, [...query]]);
    return Promise.resolve();
  };
  const operations = bindApplication(HOT, {});
  const refuse = (): Promise<void> => Promise.resolve();
  return { served, hot: createFastRouter(operations, serve), app: createApp({ operations, serve, refuse }) };
}

const exchange = (method: string, url: string) => ({
  req: { method, url, headers: {}, rawHeaders: [] } as unknown as IncomingMessage,
  res: {} as unknown as ServerResponse,
});

describe('the fast router', () => {
  it('serves operations marked hot at each of their paths', () => {
    const { hot, served } = createRouters();
    assert.equal(hot(exchange('GET', '/demo/things/a-1?x=1&token=t')), true);
    assert.equal(hot(exchange('PUT', '/old_demo/things/b.c')), true);
    assert.deepEqual(served, [
      ['demo.getThing', { name: 'a-1' }, [['x', '1']]],
      ['demo.updateThing', { name: 'b.c' }, []],
    ]);
  });

  it('passes targets that are not plain to the Express router', () => {
    const { hot, served } = createRouters();
    for (const [method, url] of [
      ['POST', '/demo/things/a'],
      ['HEAD', '/demo/things/a'],
      ['GET', '/demo/things/'],
      ['GET', '/demo/things/a/'],
      ['GET', '/demo/things/a/start'],
      ['GET', '/demo//things/a'],
      ['GET', '/demo/things/a%2Fb'],
      ['GET', '/demo/things/..'],
      ['GET', '/demo/things/a#b'],
      ['GET', '/Demo/things/a'],
      ['GET', 'http://x/demo/things/a'],
      ['GET', `/demo/things/a?${'x'.repeat(9000)}`],
    ] as const)
      assert.equal(hot(exchange(method, url)), false, `${method} ${url.slice(0, 40)}`);
    assert.deepEqual(served, []);
  });

  it('parses each request that it serves like the Express router', () => {
    const piece = fc.constantFrom('/', '//', 'demo', 'old_demo', 'things', 'import', 'a', '.', '..', '%61', '?', 'x=1', '&token=t', '#', '\\', ' ', 'é'); // prettier-ignore
    const target = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
    const plain = fc.stringMatching(/^[A-Za-z0-9._~%-]{1,6}$/).map((name) => `/demo/things/${name}?x=1`);
    const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE');
    const check = fc.property(method, fc.oneof(target, plain), (verb, url) => {
      const { hot, app, served } = createRouters();
      if (!hot(exchange(verb, url))) return;
      const { req, res } = exchange(verb, url);
      app(req, res);
      assert.equal(served.length, 2, `${verb} ${url}`);
      assert.deepEqual(served[0], served[1]);
    });
    fc.assert(check, { numRuns: 500 });
  });
});
