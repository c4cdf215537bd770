import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CONFIG = `auth:
  issuers:
    - issuer: https://idp.test
      audience: gatehouse
      discovery: true
      algorithms: [RS256]
      roleMap: { "noc-*": noc }
  clientCertificates: { roles: { robot: noc } }
  local:
    users: [{ username: ada, passwordHash: "\${HASH}", roles: [admin] }, { username: bob, passwordHash: "\${HASH}", roles: [noc] }]
roles: { orchestrator-manager.restQuery: [admin, noc] }
access:
  - { adapters: ["nso*"], roles: [admin] }
  - { adapters: ["nso*"], roles: [noc], operations: [orchestrator-manager.restQuery], paths: ["/restconf/data/**"] }
adapters:
  nso1.example.com: { plugin: restconf, baseUrl: "http://127.0.0.1:9", access: [{ methods: [GET] }] }
  lab1: { plugin: restconf, baseUrl: "http://127.0.0.1:9" }
`;

describe('gatehouse can', () => {
  const folder = temporaryFolder().path;
  const config = join(folder, 'gatehouse.yaml');
  const claims = join(folder, 'claims.json');
  before(() => {
    writeFileSync(config, CONFIG);
    writeFileSync(claims, '{"iss":"https://idp.test","sub":"eve","roles":["noc-west"]}');
  });
  const env = { HASH: cheapHash('correct horse') };
  const can = (...words: string[]) => runCommand(['can', ...words, '--config', config], { env });

  for (const [words, code, last] of [
    [['ada', 'restQuery', 'nso1.example.com', '--path', '/x'], 0, 'allowed'],
    [['ada', 'orchestrator-manager.restAction', 'nso1.example.com', '--method', 'post'], 1, 'denied'],
    [['bob', 'restQuery', 'nso1.example.com'], 1, 'depends on the call: name --path'],
    [['bob', 'restQuery', 'nso1.example.com', '--path', '/restconf/data/x'], 0, 'allowed'],
    [['robot', 'restQuery', 'nso1.example.com', '--path', '/restconf/data/x'], 0, 'allowed'],
    [['bob', 'restQuery', 'nso1.example.com', '--path', '/rpc'], 1, 'denied'],
    [['bob', 'restQuery'], 1, 'depends on the adapter: name one'],
    [['ada', 'deleteAdapter', 'lab1'], 0, 'allowed'],
    [['--roles', 'noc,admin', 'restAction', 'lab1'], 0, 'allowed'],
    [['--roles', '', 'restQuery', 'lab1'], 1, 'denied'],
    [['--claims', claims, 'restQuery', 'lab1'], 0, 'allowed'],
  ] as const)
    it(`${words.join(' ').replace(folder, '')} is ${last}`, async () => {
      const { code: exit, out, err } = await can(...words);
      assert.deepEqual([exit, err, out.trimEnd().split('\n').at(-1)], [code, '', last]);
    });

  it('names a role that nothing knows, and the role that it resembles', async () => {
    const { code, err } = await can('--roles', 'nco', 'restQuery', 'lab1');
    assert.deepEqual([code, err], [1, 'no rule or operation names the role "nco"; did you mean "noc"?\n']);
  });

  it('explains each step with the rules', async () => {
    const { out } = await can('--claims', claims, 'restQuery', 'nso1.example.com', '--path', '/rpc');
    assert.equal(
      out,
      `caller     eve (claims of a token)
roles      noc, from the names noc-west of the token
operation  orchestrator-manager.restQuery
call       through nso1.example.com: GET, /rpc

allowed  roles of the operation: admin, noc (key roles)
denied   rules of the main configuration:
           access/0 does not admit the call because of roles: { adapters: [nso*], roles: [admin] }
           access/1 does not admit the call because of paths: { adapters: [nso*], roles: [noc], operations: [orchestrator-manager.restQuery], paths: [/restconf/data/**] }

denied
`,
    );
    const json = JSON.parse((await can('bob', 'restQuery', 'lab1', '--json')).out) as Record<string, unknown>;
    assert.deepEqual([json['result'], json['adapter']], ['allowed', 'lab1']);
  });

  for (const [words, message] of [
    [[], /name a subject and an operation/],
    [['--roles', 'a'], /name an operation/],
    [
      ['bobb', 'restQuery'],
      /"bobb" is no user, client or certificate of the configuration; did you mean "bob"\?/,
    ],
    [['bob', 'restQurey'], /"restQurey" is no operation; did you mean "orchestrator-manager.restQuery"\?/],
    [['bob', 'restQuery', 'lab2'], /no adapter "lab2"; did you mean "lab1"\?/],
    [['bob', 'restQuery', 'lab1', 'x'], /one word too many: "x"/],
    [['bob', 'restQuery', '--paht', '/'], /no option "--paht"/],
    [['bob', 'restQuery', '--path', 'x'], /starts with "\/"/],
    [['--roles', 'a', '--claims', claims, 'restQuery'], /not both/],
    [['--claims', config, 'restQuery'], /not a JSON object/],
    [['--claims', join(folder, 'none'), 'restQuery'], /cannot be read \(ENOENT\)/],
  ] as const)
    it(`exits with 2 for: ${words.join(' ').replaceAll(folder, '')}`, async () => {
      const { code, out, err } = await can(...words);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, message);
    });

  it('exits with 78 for a configuration with faults', async () => {
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'access: [{ rolls: [a] }]\n');
    const { code, err } = await runCommand(['can', 'ada', 'restQuery', '--config', broken]);
    assert.equal(code, 78);
    assert.match(err, /\/access\/0\/rolls/);
  });
});
