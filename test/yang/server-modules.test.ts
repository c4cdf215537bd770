import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serverModules } from '../../src/yang/server-modules.js';

const LIBRARY = {
  'ietf-yang-library:yang-library': {
    'module-set': [
      {
        name: 'main',
        module: [{ name: 'a', revision: '2024-01-01', location: ['https://h/a.yang', 'https://i/a.yang'] }],
        'import-only-module': [
          { name: 't', revision: '2020-01-01', location: ['https://h/t20.yang'] },
          { name: 't', revision: '2022-01-01', location: ['https://h/t22.yang'] },
          { name: 'bare', submodule: [{ name: 'inner', revision: '2021-01-01' }] },
        ],
      },
      { name: 'other', module: [{ name: 'b', revision: '2023-01-01' }] },
    ],
  },
};
const STATE = {
  'ietf-yang-library:modules-state': {
    module: [
      {
        name: 'a',
        revision: '',
        schema: 'https://h/a',
        submodule: [{ name: 's', revision: '2019-01-01', schema: '/s' }],
      },
    ],
  },
};

describe('serverModules', () => {
  it('finds modules of all sets, import-only modules, and submodules (RFC 8525)', () => {
    const modules = serverModules(LIBRARY);
    assert.deepEqual(modules.find('a', undefined)?.urls, ['https://h/a.yang', 'https://i/a.yang']);
    assert.equal(modules.find('b', '2023-01-01')?.name, 'b');
    assert.equal(modules.find('bare', undefined)?.revision, undefined);
    assert.equal(modules.find('inner', undefined)?.revision, '2021-01-01');
  });

  it('finds the requested revision, or the newest', () => {
    const modules = serverModules(LIBRARY);
    assert.equal(modules.find('t', undefined)?.revision, '2022-01-01');
    assert.equal(modules.find('t', '2020-01-01')?.revision, '2020-01-01');
    assert.equal(modules.find('t', '2021-01-01'), undefined);
  });

  it('prefers the entry with a location among those of one revision', () => {
    const module = [
      { name: 'a', revision: '2024-01-01' },
      { name: 'a', revision: '2024-01-01', location: ['/a'] },
    ];
    for (const list of [module, module.toReversed()]) {
      const modules = serverModules({
        'ietf-yang-library:yang-library': { 'module-set': [{ module: list }] },
      });
      assert.deepEqual(modules.find('a', undefined)?.urls, ['/a']);
    }
  });

  it('finds modules that OpenDaylight lists as name_revision (finding 3)', () => {
    // Recorded from OpenDaylight netconf 7.0.7.
    const module = [
      {
        name: 'ietf-netconf-acm_2018-02-14',
        namespace: 'urn:ietf:params:xml:ns:yang:ietf-netconf-acm',
        revision: '2018-02-14',
        location: ['/rests/modules/ietf-netconf-acm?revision=2018-02-14'],
      },
      { name: 'odd_2018-02-14', revision: '2019-01-01' },
    ];
    const set = { name: 'ODL_modules', module };
    for (const library of [
      { 'ietf-yang-library:yang-library': { 'module-set': [set] } },
      { 'ietf-yang-library:modules-state': { module } },
    ]) {
      const modules = serverModules(library);
      assert.equal(modules.find('ietf-netconf-acm', '2018-02-14')?.name, 'ietf-netconf-acm');
      assert.equal(modules.find('odd', undefined), undefined);
    }
  });

  it('finds the schemas of a server without a YANG library (RFC 6022)', () => {
    const schema = [
      { identifier: 'a', version: '2024-01-01', format: 'yang', location: ['NETCONF'] },
      { identifier: 'b', version: '' },
    ];
    const modules = serverModules({ 'ietf-netconf-monitoring:schemas': { schema } });
    assert.deepEqual(modules.find('a', undefined), { name: 'a', revision: '2024-01-01', urls: [] });
    assert.deepEqual([modules.count, modules.find('b', undefined)?.revision], [2, undefined]);
  });

  it('finds the modules of older servers (RFC 7895)', () => {
    const modules = serverModules(STATE);
    assert.deepEqual(modules.find('a', undefined), { name: 'a', revision: undefined, urls: ['https://h/a'] });
    assert.deepEqual(modules.find('s', '2019-01-01')?.urls, ['/s']);
  });

  it('ignores anything that is not a list of modules (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, entry) => {
        const documents = [
          value,
          { 'ietf-yang-library:yang-library': value },
          { 'ietf-yang-library:yang-library': { 'module-set': [{ module: [entry] }] } },
          { 'ietf-yang-library:modules-state': { module: [entry, { name: 'm', schema: entry }] } },
        ];
        for (const document of documents) serverModules(document).find('m', undefined);
      }),
    );
  });
});
