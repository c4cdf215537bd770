import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeSchema } from '../../../plugins/itential-adapter/options.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const authentication = { auth_method: 'request_token', username: 'u', password: 'p' };
const properties = { host: 'a.example', port: 443, authentication, healthcheck: { type: 'none' } };

async function check(more: object, folder = CATALOGUE_ADAPTER) {
  const { violations, secrets, paths } = compileSchema(await completeSchema(folder))({
    folder,
    properties: { ...properties, ...more },
  });
  return { faults: violations.map(({ pointer, message }) => `${pointer} ${message}`), secrets, paths };
}

/** Copies the adapter and replaces one file. */
function copyWith(name: string, content: string): string {
  const { path } = temporaryFolder();
  cpSync(CATALOGUE_ADAPTER, path, { recursive: true });
  writeFileSync(join(path, name), content);
  return path;
}

describe('the options of a community adapter', () => {
  it('follow its propertiesSchema.json', async () => {
    assert.deepEqual((await check({})).faults, []);
    assert.deepEqual((await check({ port: 0 })).faults, ['/properties/port must be at least 1']);
    assert.deepEqual((await check({ healthcheck: { type: 'daily' } })).faults, [
      '/properties/healthcheck/type must be one of none, startup, intermittent',
    ]);
  });

  it('require the host and the authentication, even if the schema has defaults for them', async () => {
    assert.deepEqual((await check({ host: undefined })).faults, ['/properties/host is missing']);
    assert.deepEqual((await check({ authentication: undefined })).faults, [
      '/properties/authentication is missing',
    ]);
  });

  it('have secrets at the pointers of the decorators and at the known pointers of the library', async () => {
    const more = { authentication: { ...authentication, token: 't' }, proxy: { password: 'q' } };
    assert.deepEqual((await check(more)).secrets.toSorted(), [
      ...['/properties/authentication/password', '/properties/authentication/token'],
      '/properties/proxy/password',
    ]);
    const pins = '[{"type":"encryption","pointer":"/pins/0"},{"type":"other","pointer":"/host"},{}]';
    const { secrets } = await check({ pins: ['1', '2'] }, copyWith('propertiesDecorators.json', pins));
    assert.ok(secrets.includes('/properties/pins/0') && !secrets.includes('/properties/host'));
  });

  it('share one schema while the files are the same, so that reloads retain no memory', async () => {
    const same = copyWith('README.md', '');
    assert.equal(await completeSchema(same), await completeSchema(CATALOGUE_ADAPTER));
  });

  it('cannot be validated without the files, and the error names the file', async () => {
    await assert.rejects(
      completeSchema('/nowhere'),
      /\/nowhere\/pronghorn\.json cannot be read; "folder" must/,
    );
    await assert.rejects(
      completeSchema(copyWith('propertiesSchema.json', '{')),
      /propertiesSchema\.json is not JSON/,
    );
    await assert.rejects(completeSchema(copyWith('propertiesSchema.json', '1')), /holds no schema/);
  });
});
