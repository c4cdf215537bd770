import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, openRuntime, type TestRuntime } from '../../support/adapter-runtime.js';
import { makeCertificate } from '../../support/certificates.js';

const FILE = fileOf(`options: { a: 1, tags: [x] }
auth: { type: basic, username: $VAULT_lab#user, password: $VAULT_lab#password }
tls: { caFile: ca.pem }
`);

/** Returns the target of an adapter with this file, whose references have these values. */
async function targetIn(runtime: TestRuntime, text = FILE, values: Readonly<Record<string, string>> = {}) {
  const all = { '/auth/username': 'ada', '/auth/password': 'one', ...values };
  for (const [pointer, value] of Object.entries(all)) runtime.values.set(`lab${pointer}`, { value });
  runtime.write('lab', text);
  assert.deepEqual(await runtime.reload(), []);
  return runtime.instance('lab')?.target ?? assert.fail(runtime.states()['lab']);
}

describe('the target of an adapter', () => {
  let runtime: TestRuntime;
  let target: string;
  let arrange: (folders: { readonly folder: string }) => void;
  before(async () => {
    const { cert } = await makeCertificate({ isCa: true });
    arrange = ({ folder }) => {
      writeFileSync(join(folder, 'adapters', 'ca.pem'), cert);
    };
    runtime = await openRuntime({ arrange });
    target = await targetIn(runtime);
  });
  after(() => runtime.close());

  for (const [title, text, values] of [
    ['a rotated secret', FILE, { '/auth/password': 'two' }],
    ['a rotated account', FILE, { '/auth/username': 'eve', '/auth/password': 'two' }],
    [
      'time limits, tags and access rules',
      `${FILE}timeouts: { totalMs: 20001 }\ntags: [a]\naccess: [{ roles: [a] }]\n`,
      {},
    ],
    ['another order of the members', FILE.replace('a: 1, tags: [x]', 'tags: [x], a: 1'), {}],
  ] as const)
    it(`is the same after ${title}`, async () => {
      assert.equal(await targetIn(runtime, text, values), target);
    });

  for (const [title, text] of [
    ['the base URL', FILE.replace(':9', ':8')],
    ['an option', FILE.replace('a: 1', 'a: 2')],
    ['the path of a secret', FILE.replace('lab#user', 'lab#root')],
    ['the check of the certificate', FILE.replace('caFile: ca.pem', 'insecure: true')],
    ['the proxy', `${FILE}proxy: "http://127.0.0.1:7"\n`],
  ] as const)
    it(`is another after a change of ${title}`, async () => {
      assert.notEqual(await targetIn(runtime, text), target);
    });

  it('is another after a change of a base URL from a store of secrets', async () => {
    const text = FILE.replace('http://127.0.0.1:9', '$VAULT_lab#url');
    const before = await targetIn(runtime, text, { '/baseUrl': 'http://127.0.0.1:9' });
    assert.notEqual(await targetIn(runtime, text, { '/baseUrl': 'http://127.0.0.1:8' }), before);
  });

  it('is the same on a node with the files in another folder', async () => {
    const other = await openRuntime({ arrange });
    try {
      assert.equal(await targetIn(other), target);
    } finally {
      await other.close();
    }
  });

  it('is absent for an adapter that does not serve', async () => {
    runtime.write('lab', `${FILE}enabled: false\n`);
    await runtime.reload();
    assert.equal(runtime.instance('lab')?.target, undefined);
  });
});
