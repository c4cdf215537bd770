import assert from 'node:assert/strict';
import {
  documentFrom,
  newAdapterSchema,
  type SentAdapter,
} from '../../../src/features/adapters/adapter-document.js';
import { levelsFrom } from '../../../src/features/adapters/log-levels.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { problem } from '../../support/failing.js';

const FORMER = documentFrom({
  name: 'nso1',
  model: 'restconf',
  properties: { type: 'NSO', brokers: ['device'], groups: ['g'], properties: { baseUrl: 'http://a' } },
  loggerProps: { log_filename: 'x.log' },
});

describe('documentFrom', () => {
  it('keeps the members that were sent and fills null, empty and absent members with defaults', () => {
    const sent: SentAdapter = {
      ...{ name: 'nso2', type: '', model: 'restconf', isEncrypted: null, loggerProps: null, virtual: null },
      properties: { id: '', type: '', brokers: null, groups: null, properties: null },
    };
    assert.deepEqual(documentFrom(sent), {
      name: 'nso2',
      type: 'Adapter',
      model: 'restconf',
      properties: { id: 'nso2', type: 'restconf', brokers: [], groups: [], properties: {} },
      isEncrypted: true,
      loggerProps: {},
      virtual: false,
    });
  });

  it('keeps members that an update omits and replaces the settings completely', () => {
    assert.deepEqual(documentFrom({}, FORMER), FORMER);
    const changed = documentFrom({ properties: { properties: { stub: true } } }, FORMER);
    assert.deepEqual(changed.properties, { ...FORMER.properties, properties: { stub: true } });
    assert.deepEqual(documentFrom({ loggerProps: { log_level: 'info' } }, FORMER).loggerProps, {
      log_filename: 'x.log',
      log_level: 'info',
    });
  });

  it('keeps the tags that an update omits, and removes them with an empty list', () => {
    const tagged = documentFrom({ properties: { tags: ['site:berlin'] } }, FORMER);
    assert.deepEqual(tagged.properties.tags, ['site:berlin']);
    assert.deepEqual(documentFrom({ properties: { tags: null } }, tagged).properties.tags, ['site:berlin']);
    assert.deepEqual(documentFrom({ properties: { tags: [] } }, tagged), FORMER);
  });

  it('rejects a change of the name', () => {
    const renamed = (): unknown => documentFrom({ name: 'other' }, FORMER);
    assert.throws(renamed, problem('invalid_request', /keeps its name/));
    const twoNames: SentAdapter = { name: 'a', model: 'm', properties: { id: 'b' } };
    assert.throws(() => documentFrom(twoNames), problem('invalid_request', /\/properties\/properties\/id/));
  });

  it('newAdapterSchema accepts only names that fit into a URL segment and a file name', () => {
    const validate = compileSchema(newAdapterSchema);
    for (const name of ['', '../x', 'a/b', '.a', ' a', '__proto__', 'x'.repeat(65), 'a\n'])
      assert.ok(validate({ properties: { name, model: 'restconf' } }).violations.length > 0, name);
    for (const name of ['nso1', 'Local NSO', 'a.b-c_d'])
      assert.deepEqual(validate({ properties: { name, model: 'restconf' } }).violations, []);
  });
});

describe('levelsFrom', () => {
  it('reads the levels of loggerProps and omits unknown levels', () => {
    const loggerProps = { console_level: 'debug', log_level: 'loud', syslog: { level: 'warn' } };
    assert.deepEqual(levelsFrom(loggerProps), { console: 'debug', syslog: 'warn' });
    assert.deepEqual(levelsFrom({ syslog: null }), {});
  });
});
