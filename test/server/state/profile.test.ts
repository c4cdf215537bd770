import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Fault } from '../../../src/core/fault.js';
import { MAIN, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';

const locationsOf = (faults: readonly Fault[]): readonly string[] =>
  faults.map(({ file, pointer }) => `${file.startsWith('profile') ? file : 'the file'} ${pointer}`);

describe('the active profile', () => {
  let runtime: TestRuntime;
  beforeEach(async () => {
    runtime = await openRuntime({
      main: `${MAIN}log: { level: warn }\nforms: { maxForms: 7 }\nroles: { tools.restCall: [ops] }\n`,
      records: [recordOf('a'), recordOf('b')],
    });
  });
  afterEach(() => runtime.close());

  const activate = (document?: Readonly<Record<string, unknown>>): Promise<readonly Fault[]> => {
    runtime.activate(document);
    return runtime.applyRecords();
  };

  it('overrides the blocks of the main file key by key, until it is deactivated', async () => {
    const currentSettings = () => {
      const { logLevel, forms, roles } = runtime.current.current();
      return [logLevel, forms.maxForms, forms.maxVersions, { ...roles }];
    };
    const before = currentSettings();
    assert.deepEqual(before, ['warn', 7, 20, { 'tools.restCall': ['ops'] }]);
    const blocks = {
      log: { level: 'debug' },
      forms: { maxVersions: 3 },
      roles: { 'json-forms.getForms': ['x'] },
    };
    assert.deepEqual(await activate({ ...blocks, egress: { timeoutMs: 5 } }), []);
    assert.deepEqual(currentSettings(), [
      'debug',
      7,
      3,
      { 'tools.restCall': ['ops'], 'json-forms.getForms': ['x'] },
    ]);
    assert.deepEqual(await runtime.reload(), []);
    assert.equal(currentSettings()[0], 'debug');
    await activate();
    assert.deepEqual(currentSettings(), before);
  });

  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['an unknown level', { log: { level: 'loud' } }, '/log/level'],
    ['a key that is allowed only in the main file', { log: { file: '/tmp/x' } }, '/log/file'],
    ['forms that are not an object', { forms: 3 }, '/forms'],
    ['an unknown operation', { roles: { 'tools.rest': ['x'] } }, '/roles/tools.rest'],
    ['a reference to a secret', { roles: { 'tools.restCall': ['$VAULT_a#b'] } }, '/roles/tools.restCall/0'],
    ['an encrypted value', { roles: { 'tools.restCall': ['$ENC12'] } }, '/roles/tools.restCall/0'],
    ['an encrypted value as a key', { forms: { $ENC12: 1 } }, '/forms/$ENC…'],
  ];
  for (const [content, document, pointer] of refused) {
    it(`is refused without any change if it contains ${content}`, async () => {
      const before = runtime.current.current();
      assert.deepEqual(locationsOf(await activate({ ...document, services: ['a'] })).slice(0, 1), [
        `profile "night" ${pointer}`,
      ]);
      assert.equal(runtime.current.current(), before);
      assert.deepEqual(runtime.states(), { a: 'RUNNING', b: 'RUNNING' });
    });
  }

  it('is not reported for faults of the main file', async () => {
    runtime.activate({ roles: { 'tools.restCall': ['x'] } });
    writeFileSync(runtime.configPath, `${MAIN}roles: { tools.nothing: [ops] }\n`);
    assert.deepEqual(locationsOf(await runtime.reload()), ['the file /roles/tools.nothing']);
  });
});
