import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConfig } from '../../../src/cli/check-config.js';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ADAPTERS = `adapters:
  nso1.example.com: { plugin: restconf, baseUrl: "http://127.0.0.1:9", tags: ["site:berlin"], access: [{ roles: [nok] }] }
`;

const MAPPED_ISSUER =
  '{ issuer: https://idp.test, audience: g, discovery: true, algorithms: [RS256], roleMap: { "a*": admin }, claimRoles: [{ claim: x, values: [1], roles: noc }] }';

describe('gatehouse check on access rules', () => {
  const configPath = join(temporaryFolder().path, 'gatehouse.yaml');
  const env = { HASH: cheapHash('correct horse') };
  const check = async (text: string) => {
    writeFileSync(configPath, text);
    const { faults, warnings } = await checkConfig({ configPath, env, probe: false });
    return [faults, warnings].map((list) =>
      list.map(({ line, column, pointer, message }) => `${line}:${column} ${pointer} ${message}`),
    );
  };

  it('finds operations that do not exist or send no calls', async () => {
    const [faults] = await check(`access:
  - operations: [orchestrator-manager.restQurey, restAction, json-forms.getForms, x]
`);
    assert.deepEqual(faults, [
      '2:18 /access/0/operations/0 there is no such operation; did you mean "orchestrator-manager.restQuery"?',
      '2:50 /access/0/operations/1 there is no such operation; did you mean "orchestrator-manager.restAction"?',
      '2:62 /access/0/operations/2 is an operation that sends no calls through adapters',
      '2:83 /access/0/operations/3 there is no such operation',
    ]);
  });

  it('warns of adapters and tags that do not exist', async () => {
    const [faults, warnings] = await check(`access:
  - { adapters: ["nso*", "ns0*", nso1.example.con, x], tags: ["site:*", "site:berln"], roles: [admin] }
${ADAPTERS}`);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      warnings?.filter((line) => line.includes('/access/0')),
      [
        '2:26 /access/0/adapters/1 matches no adapter; did you mean "nso*"?',
        '2:34 /access/0/adapters/2 matches no adapter; did you mean "nso1.example.com"?',
        '2:52 /access/0/adapters/3 matches no adapter',
        '2:73 /access/0/tags/1 matches no tag of an adapter; did you mean "site:berlin"?',
      ],
    );
  });

  it('warns of roles that no user, client, certificate or mapping can give', async () => {
    const text = (issuer: string) => `auth: { issuers: [${issuer}] }
roles: { orchestrator-manager.restQuery: [admin, reader] }
access: [{ roles: [noc, admn] }]
${ADAPTERS}`;
    const [faults, warnings] = await check(text(MAPPED_ISSUER));
    assert.deepEqual(faults, []);
    assert.deepEqual(warnings, [
      '2:50 /roles/orchestrator-manager.restQuery/1 no user, client, certificate or mapping gives the role "reader"',
      '3:25 /access/0/roles/1 no user, client, certificate or mapping gives the role "admn"; did you mean "admin"?',
      '5:114 /adapters/nso1.example.com/access/0/roles/0 no user, client, certificate or mapping gives the role "nok"; did you mean "noc"?',
    ]);
    const unmapped = MAPPED_ISSUER.replace(/roleMap: \{[^}]*\}, /, '');
    assert.deepEqual((await check(text(unmapped)))[1], []);
  });
});
