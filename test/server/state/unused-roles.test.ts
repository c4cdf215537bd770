import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConfig } from '../../../src/cli/check-config.js';
import { createConfigLoader } from '../../../src/server/config-loader.js';
import { warnUnusedRoles } from '../../../src/server/state/unused-roles.js';
import { memoryLog } from '../../support/memory-log.js';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CONFIG = `auth:
  issuers:
    - issuer: https://idp.test
      audience: gatehouse
      discovery: true
      algorithms: [RS256]
      roleMap: { a: admin, b: [engineering, administrator], c/d: watcher, e: reader, f: approver, g: operator }
  local: { users: [{ username: ada, passwordHash: "\${HASH}", roles: [admin, enginering] }] }
roles: { adapters.getAdapters: [admin, reader] }
forms: { tasks: { roles: [approver] } }
adapters:
  core1: { plugin: restconf, baseUrl: http://127.0.0.1:9, access: [{ roles: [operator] }] }
`;

describe('unusedRoles', () => {
  const configPath = join(temporaryFolder().path, 'gatehouse.yaml');
  const env = { HASH: cheapHash('correct horse') };
  before(() => {
    writeFileSync(configPath, CONFIG);
  });
  const expected = [
    {
      issuer: 'https://idp.test',
      role: 'administrator',
      pointer: '/auth/issuers/0/roleMap/b',
      suggestion: '',
    },
    { issuer: 'https://idp.test', role: 'watcher', pointer: '/auth/issuers/0/roleMap/c~1d', suggestion: '' },
    {
      issuer: 'gatehouse',
      role: 'enginering',
      pointer: '/auth/local/users/0/roles/1',
      suggestion: '; did you mean "engineering"?',
    },
  ];

  it('identity review 1: is part of the check, and is no fault', async () => {
    const { faults, warnings } = await checkConfig({ configPath, env, probe: false });
    const roles = warnings.filter(
      ({ code, message }) => code === 'roles' && message.includes('opens nothing'),
    );
    assert.deepEqual(
      [faults, roles.map(({ pointer, message }) => ({ pointer, message }))],
      [
        [],
        expected.map(({ pointer, role, suggestion }) => ({
          pointer,
          message: `the role "${role}" opens nothing: no operation, adapter or setting names it${suggestion}`,
        })),
      ],
    );
    assert.ok(
      roles.every(({ line, column, fix }) => line > 0 && column > 0 && fix.startsWith('Correct the role')),
    );
  });

  it('is a warning in the log', async () => {
    const { desired } = await (await createConfigLoader({ configPath, env })).read();
    const { log, lines } = memoryLog();
    warnUnusedRoles(desired, { operationRoles: ['admin', 'engineering'] }, log);
    assert.deepEqual(
      lines.map(({ message, fields }) => ({ message, ...fields })),
      expected.map(({ suggestion, ...unused }) => ({
        message: `a configured role opens nothing${suggestion}`,
        ...unused,
      })),
    );
  });
});
