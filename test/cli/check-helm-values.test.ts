import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ISSUER = `
  auth:
    issuers:
      - { issuer: https://idp.example, audience: gatehouse, discovery: true, algorithms: [RS256] }
`;

describe('gatehouse check --helm-values', () => {
  let folder = '';

  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  async function check(
    files: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandResult> {
    const options = files.flatMap((text, index) => {
      const file = join(folder, `values${index}.yaml`);
      writeFileSync(file, text);
      return ['--helm-values', file];
    });
    const { code, out, err } = await runCommand(['check', ...options], { env });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  }

  it('accepts valid values, with the values of the chart below them', async () => {
    const { code, out } = await check([
      `config:${ISSUER}adapters: { nso1: { plugin: restconf, baseUrl: "https://nso.example" } }`,
    ]);
    assert.deepEqual([code, out], [0, 'values0.yaml: no fault found (1 adapter)\n']);
  });

  it('names the line and column of a misspelled key of the main file and of an adapter', async () => {
    const { code, out } = await check([
      `config:\n  vault:\n    adress: https://vault.example\nadapters:\n  nso1:\n    plugin: restconf\n    baseURL: https://nso.example\n`,
    ]);
    assert.equal(code, 78);
    assert.match(out, /^values0\.yaml:3:5 \/config\/vault\/adress: .*did you mean "address"/m);
    assert.match(out, /^values0\.yaml:7:5 \/adapters\/nso1\/baseURL: .*did you mean "baseUrl"/m);
  });

  it('names the file whose value counts, of several', async () => {
    const base =
      'adapters:\n  nso1: { plugin: restconf, baseUrl: "https://nso.example", timeouts: { totalMs: 1 } }\n';
    const { out } = await check([base, '# a comment\nadapters: { nso1: { timeouts: { totalMs: soon } } }\n']);
    assert.match(out, /^values1\.yaml:2:42 \/adapters\/nso1\/timeouts\/totalMs: /m);
    assert.match(
      (await check(['adapters: { nso1: { plugin: 1 } }', base.replace('restconf', 'restcnf')])).out,
      /^values1\.yaml:2:19 /m,
    );
  });

  it('names the values of the chart for a fault of a value that only they have', async () => {
    const { out } = await check(['config: { vault: { auth: { method: approle } } }']);
    assert.match(out, /^\S+deploy\/helm\/gatehouse\/values\.yaml:\d+:\d+ \/config\/vault\/auth\/role: /m);
    const removed = 'method: approle, role: null, jwtFile: null, roleIdFile: a, secretIdFile: b';
    assert.equal((await check([`config: { vault: { auth: { ${removed} } } }`])).code, 0);
  });

  it('refuses a key that the chart does not have, a fault of the syntax, and a missing file', async () => {
    const { code, out } = await check(['confg: {}']);
    assert.equal(code, 78);
    assert.match(out, /^values0\.yaml:1:1 \/confg: is not a value of the chart; did you mean "config"/m);
    assert.match((await check(['config: {'])).out, /^values0\.yaml:1:9: \{ on line 1 is not closed/m);
    const missing = await runCommand(['check', '--helm-values', join(folder, 'none.yaml')]);
    assert.match(missing.out, /none\.yaml: does not exist \[file\]\n {4}Name a file with values/);
    assert.equal((await runCommand(['check', '--config', 'a', '--helm-values', 'b'])).code, 64);
  });

  it('fills in the variables of the container, and those of its own environment', async () => {
    const adapter = 'adapters: { nso1: { plugin: restconf, baseUrl: "https://${NSO}:8888" } }\n';
    assert.equal((await check([`env: [{ name: NSO, value: nso.example }]\n${adapter}`])).code, 0);
    const secret = `env: [{ name: NSO, valueFrom: {} }]\n${adapter}`;
    assert.match((await check([secret])).out, /^values0\.yaml:2:48 .*NSO, which is not set/m);
    assert.equal((await check([secret], { NSO: 'nso.example' })).code, 0);
  });

  it('warns of a file in a volume of the pod, and refuses one elsewhere', async () => {
    const tls = (path: string): string =>
      `config: { server: { tls: { certFile: ${path}/cert.pem, keyFile: ${path}/key.pem } } }\nextraVolumeMounts: [{ name: tls, mountPath: /run/tls }]\n`;
    const mounted = await check([tls('/run/tls')]);
    assert.equal(mounted.code, 0, mounted.out);
    assert.match(mounted.err, /warning: values0\.yaml:1:38 .*certFile: is in a volume of the pod/);
    assert.equal((await check([tls('/run/tls-of-others')])).code, 78);
  });
});
