import assert from 'node:assert/strict';
import { schemasOf } from '../../../src/features/schema/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Input = Parameters<typeof schemasOf>[0];

describe('the types of adapters', () => {
  it('leave out the plugin of an adapter that is no longer installed (bug: the type "undefined" was listed)', () => {
    const main = { written: { document: { file: `${temporaryFolder().path}/gatehouse.yaml` } } };
    const adapters = [{ written: { value: {} } }, { written: { value: { plugin: '@acme/plugin' } } }];
    const current = { current: () => ({ desired: { main, adapters } }) } as unknown as Input['current'];
    const plugins = { types: ['restconf'] } as unknown as Input['plugins'];
    assert.deepEqual(schemasOf({ current, plugins, operations: [] }).adapterTypes(), [
      '@acme/plugin',
      'restconf',
    ]);
  });
});
