import assert from 'node:assert/strict';
import fc from 'fast-check';
import { modulePaths, pathOnAdapter } from '../../../src/features/yang-forms/module-paths.js';

const BASES = ['https://nso.example:8888', 'https://b.example/api'];

describe('pathOnAdapter', () => {
  it('returns the expected value for each input', () => {
    for (const [url, expected] of [
      ['https://nso.example:8888/restconf/m', '/restconf/m'],
      ['HTTPS://NSO.example:8888/m?x=1#part', '/m?x=1'],
      ['/restconf/m', '/restconf/m'],
      ['https://b.example/api/m', '/m'],
      ['https://nso.example:8888/a/../m', '/m'],
      // A server behind NAT, a tunnel or a proxy lists URLs of another host, port or scheme.
      ['https://b.example/apis/m', '/apis/m'],
      ['https://b.example/api/../m', '/m'],
      ['https://b.example/api/%2e%2e/m', '/m'],
      ['https://nso.example:8889/m', '/m'],
      ['http://nso.example:8888/m', '/m'],
      ['http://10.0.0.1:8181/rests/modules/m?revision=2024-01-01', '/rests/modules/m?revision=2024-01-01'],
      ['https://nso.example:8888@evil.example/m', '/m'],
      ['https://user:pw@nso.example:8888/m', '/m'],
      ['https://nso.example:8888', '/'],
      ['//evil.example/m', undefined],
      ['https://b.example/api//evil.example/m', undefined],
      ['https://elsewhere.example//evil.example/m', undefined],
      ['\\\\evil.example\\m', undefined],
      ['m.yang', undefined],
      ['file:///etc/passwd', undefined],
      ['javascript:alert(1)', undefined],
      ['https://', undefined],
    ] as const)
      assert.equal(pathOnAdapter(url, BASES), expected, url);
  });

  it('removes the path of the base URL', () => {
    for (const url of ['/api/m', 'http://10.0.0.1/api/m', 'http://10.0.0.1/m'])
      assert.equal(pathOnAdapter(url, ['https://b.example/api']), '/m');
  });

  it('returns undefined or an absolute path for any text (property)', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.webPath()), (text) => {
        for (const url of [text, `/${text}`, `https://b.example/api${text}`]) {
          const path = pathOnAdapter(url, BASES);
          assert.ok(path === undefined || path.startsWith('/'));
          if (path !== undefined && !URL.canParse(path, BASES[0])) assert.fail(url);
        }
      }),
    );
  });
});

describe('modulePaths', () => {
  const library = (mount?: string) =>
    modulePaths(mount).lists[0]?.replace('/ietf-yang-library:yang-library', '');
  const operations = (mount?: string) =>
    modulePaths(mount).getSchema.replace('/ietf-netconf-monitoring:get-schema', '');
  const NODE = 'network-topology:network-topology/topology=topology-netconf/node=dev1/yang-ext:mount';

  const NESTED = 'a:a/yang-ext:mount/b:b/yang-ext:mount';
  const ENCODED = 't:t/n=1/yang-ext%3Amount';

  it('returns the resources of each mount', () => {
    for (const [mount, data, rpcs] of [
      [undefined, '/restconf/data', '/restconf/operations'],
      ['/rests/data', '/rests/data', '/rests/operations'],
      ['/data/', '/data', '/operations'],
      ['/a/data/b:data', '/a/data/b:data', '/a/operations/b:data'],
      [`/restconf/data/${NODE}`, `/restconf/data/${NODE}`, `/restconf/operations/${NODE}`],
      [`/rests/data/${NODE}/acme:system/data`, `/rests/data/${NODE}`, `/rests/operations/${NODE}`],
      [`/rests/data/${NESTED}/c`, `/rests/data/${NESTED}`, `/rests/operations/${NESTED}`],
      [`/rests/data/${ENCODED}/x`, `/rests/data/${ENCODED}`, `/rests/operations/${ENCODED}`],
    ] as const)
      assert.deepEqual([library(mount), operations(mount)], [data, rpcs], mount ?? 'the default');
  });
});
