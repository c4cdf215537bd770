import assert from 'node:assert/strict';
import { textLibrary } from '../../src/yang/modules/library.js';
import {
  asModule,
  compileBody,
  compileText,
  compileTexts,
  faultsOf,
  yang10,
  yang11,
} from '../support/yang.js';

/** Module that the others import. */
const OTHER = yang11('other', 'container top { leaf l { type string; } } leaf rest { type int8; }');
const IMPORT = 'import other { prefix o; }';

/** Returns the faults of the YANG 1.1 module `m` with this body, which imports {@link OTHER}, and of further modules. */
const faultsWithOther = (body: string, ...more: readonly string[]): string =>
  faultsOf([asModule(`${IMPORT} ${body}`), OTHER, ...more]).join();

/** Returns the first warning of the YANG 1.1 module `m` with this body. */
const warningOf = (body: string): string => compileBody(body).warnings[0]?.message ?? '';

describe('faults that all compilers accept', () => {
  for (const [what, body, warning] of [
    [
      'a plus sign in the range of a decimal64, as in the models of 3GPP',
      'leaf a { type decimal64 { fraction-digits 4; range "-90.0000..+90.0000"; } }',
      /^0\.yang:1:\d+: range "-90\.0000\.\.\+90\.0000": RFC 7950 section 14 allows no plus sign/,
    ],
    [
      'a plus sign in the range of an integer',
      'leaf a { type int8 { range "min .. +2 | +4"; } }',
      /no plus sign/,
    ],
    ['a plus sign in a length', 'leaf a { type string { length "+1..+5"; } }', /no plus sign/],
    ['a zero before the number of a length', 'leaf a { type string { length "01..5"; } }', /no zero before/],
    ['an enum with the value -0', 'leaf a { type enumeration { enum x { value -0; } } }', /"-0" is not/],
    [
      'an identity whose base has a later status',
      'identity i { status obsolete; } identity j { base i; }',
      /a definition that is current cannot refer to a definition that is obsolete/,
    ],
  ] as const)
    it(`are warnings: ${what}`, () => {
      assert.match(warningOf(body), warning);
    });

  it('are warnings: deref() in YANG 1.0', () => {
    const text = yang10('m', 'leaf a { type string; must "not(deref(.))"; }');
    const { warnings } = compileText(text);
    assert.match(warnings[0]?.message ?? '', /the function "deref" needs "yang-version 1\.1"/);
  });

  it('are warnings: submodules of YANG 1.0 that include each other', () => {
    const submodules = (version: string) => [
      `submodule s { yang-version ${version}; belongs-to m { prefix m; } include t; typedef a { type b; } }`,
      `submodule t { yang-version ${version}; belongs-to m { prefix m; } include s; typedef b { type int8; } }`,
    ];
    const body = 'include s; include t; leaf x { type a; }';
    const [module] = compileTexts([yang10('m', body), ...submodules('1')]);
    assert.match(module?.warnings[0]?.message ?? '', /include each other in a cycle: s -> t -> s/);
    // YANG 1.1 forbids cycles of imports only.
    assert.deepEqual(compileTexts([asModule(body), ...submodules('1.1')])[0]?.warnings, []);
  });

  it('keep their meaning', () => {
    const { schema } = compileBody('leaf a { type int8 { range "-2..+2"; } }');
    assert.match(JSON.stringify(schema), /"minimum":-2,"maximum":2/);
  });

  it('are still faults if the values do not fit', () => {
    for (const [range, fault] of [
      ['+300', /does not allow these values/],
      ['+2..+1', /do not ascend/],
      ['+', /"\+" is not a boundary/],
      ['++1', /is not a boundary/],
      ['+-1', /is not a boundary/],
    ] as const)
      assert.match(faultsOf([asModule(`leaf a { type int8 { range "${range}"; } }`)]).join(), fault, range);
  });
});

describe('references to other parts of a model', () => {
  it('may lead over the root into another module (RFC 7950 6.4.1)', () => {
    const leaf = (path: string) => `leaf x { type leafref { path "${path}"; } }`;
    for (const body of [
      `container c { ${leaf('../../o:top/o:l')} }`,
      `container c { container d { ${leaf('../../../o:top/o:l')} } }`,
    ]) {
      const [module] = compileTexts([asModule(`${IMPORT} ${body}`), OTHER]);
      assert.match(JSON.stringify(module?.schema), /"path":"\/other:top\/l"/, body);
    }
    assert.equal(faultsWithOther(leaf('../o:rest')), '');
    assert.equal(faultsWithOther(`rpc r { input { ${leaf('../../o:rest')} } }`), '');
  });

  it('lead over the root from a grouping of another module, to nodes of both modules', () => {
    const grouping = yang11(
      'g',
      'container own { leaf l { type string; } } grouping g { leaf x { type leafref { path "../../g:own/g:l"; } } leaf y { type leafref { path "../../here"; } } }',
    );
    const user = asModule('import g { prefix g; } leaf here { type int8; } container c { uses g:g; }');
    assert.deepEqual(faultsOf([user, grouping]), []);
  });

  it('still need a target beyond the root', () => {
    for (const path of ['../../o:top/o:none', '../../../../o:top/o:l'])
      assert.match(
        faultsWithOther(`container c { leaf x { type leafref { path "${path}"; } } }`),
        /there is no such node/,
        path,
      );
  });

  const WITHOUT_TOP = yang11('d', `${IMPORT} deviation "/o:top" { deviate not-supported; }`);

  it('need no target in a node that a feature disables', () => {
    const user = (extra: string) => asModule(`${IMPORT} feature f; ${extra} leaf ok { type string; }`);
    const bodies = [
      'leaf q { if-feature f; type leafref { path "/o:top/o:l"; } }',
      'container q { if-feature f; leaf r { type leafref { path "/o:top/o:l"; } } }',
      'grouping g { leaf r { type union { type leafref { path "/o:top/o:l"; } type int8; } } } uses g { if-feature f; }',
    ];
    const off = { features: new Map([['m', new Set<string>()]]) };
    for (const body of bodies) {
      assert.deepEqual(faultsOf([user(body), OTHER, WITHOUT_TOP], off), [], body);
      assert.match(faultsOf([user(body), OTHER, WITHOUT_TOP]).join(), /there is no such node/, body);
    }
  });

  it('let an enabled leaf refer to one that a feature disables', () => {
    const body = 'feature f; leaf t { if-feature f; type string; } leaf q { type leafref { path "../t"; } }';
    assert.deepEqual(faultsOf([asModule(body)], { features: new Map([['m', new Set<string>()]]) }), []);
  });

  it('let deviations name nodes that other deviations remove, in any order (RFC 7950 7.20.3)', () => {
    const top = 'deviation "/o:top" { deviate not-supported; }';
    const leaf = 'deviation "/o:top/o:l" { deviate not-supported; }';
    const units = 'deviation "/o:top/o:l" { deviate add { units "m"; } }';
    for (const deviations of [top + leaf, leaf + top, top + units, units + top, top + top])
      assert.equal(faultsWithOther(deviations), '', deviations);
    const [, other] = compileTexts([asModule(`${IMPORT} ${top} ${leaf}`), OTHER]);
    assert.doesNotMatch(JSON.stringify(other?.schema), /other:top/);
    const none = 'deviation "/o:top/o:none" { deviate not-supported; }';
    assert.match(faultsWithOther(`${top} ${none}`), /no such node/);
  });

  it('find the targets of deviations in a module that only a leafref path leads to', () => {
    const far = yang11(
      'far',
      'import other { prefix o; } leaf f { type string; } augment "/o:top" { leaf g { type string; } } deviation "/o:top/o:l" { deviate not-supported; }',
    );
    const user = asModule(
      `${IMPORT} import far { prefix f; } deviation "/o:top" { deviate not-supported; } leaf x { type leafref { path "/f:f"; } }`,
    );
    assert.deepEqual(faultsOf([user], { library: libraryOf([OTHER, far]) }), []);
  });
});

describe('faults in statements that no node uses', () => {
  for (const [what, body, fault] of [
    [
      'a path without ".." in a typedef',
      'typedef t { type leafref { path "p:c/p:l"; } }',
      /it must begin with/,
    ],
    [
      'a path without ".." in a grouping',
      'grouping g { leaf a { type leafref { path "b"; } } leaf b { type int8; } }',
      /must begin with/,
    ],
    [
      'a path in a member of a union',
      'typedef t { type union { type leafref { path "c/l"; } type int8; } }',
      /must begin with/,
    ],
    [
      'an unknown prefix in a path',
      'typedef t { type leafref { path "../z:l"; } }',
      /the prefix "z" refers to no/,
    ],
    [
      'an unknown prefix in a key',
      'list l { key "z:a"; leaf a { type int8; } }',
      /the prefix "z" refers to no/,
    ],
  ] as const)
    it(`are found: ${what}`, () => {
      assert.match(faultsOf([asModule(body)]).join(), fault);
    });

  it('are found in an imported module', () => {
    const other = yang11('other', 'typedef t { type leafref { path "c/l"; } } leaf a { type int8; }');
    assert.match(faultsOf([asModule(IMPORT), other]).join(), /must begin with/);
  });
});

describe('modules that take part together', () => {
  it('cannot have the same namespace (RFC 7950 7.1.3)', () => {
    const text = (name: string, rest = '') =>
      `module ${name} { yang-version 1.1; namespace "urn:same"; prefix ${name}; ${rest} leaf x { type int8; } }`;
    const fault = /^0\.yang:1:\d+ the modules "b" and "a" have the same namespace "urn:same"$/;
    assert.match(faultsOf([text('a', 'import b { prefix b; }'), text('b')]).join(), fault);
    assert.match(
      faultsOf([text('a', 'import b { prefix b; }')], { library: libraryOf([text('b')]) }).join(),
      fault,
    );
    assert.equal(faultsOf([text('a'), text('b')]).length, 1);
  });

  it('have the features that a choice names', () => {
    const text = asModule('feature on; leaf a { if-feature on; type int8; }');
    const faults = (module: string, ...names: string[]) =>
      faultsOf([text], { features: new Map([[module, new Set(names)]]) }).join();
    assert.match(faults('m', 'onn'), /the module "m" has no feature "onn"; did you mean "on"\?$/);
    assert.match(faults('nomodule'), /no module "nomodule" takes part/);
    for (const names of [[], ['on'], ['*']]) assert.equal(faults('m', ...names), '');
    // A server may announce features of modules that it does not send, and of later revisions.
    const features = new Map([
      ['m', new Set(['onn'])],
      ['nomodule', new Set<string>()],
    ]);
    assert.deepEqual(faultsOf([text], { features, acceptsUnknownFeatures: true }), []);
  });
});

describe('a module without data in its document', () => {
  const NO_DATA = 'the module has no data of its own, and augments or deviates "other"';
  const GIVE_OTHER = `${NO_DATA}; give also the text of that module, whose document then has the data, or use the target "datastore"`;
  const library = textLibrary([{ file: 'other.yang', text: OTHER }]);

  it('names the modules that it augments or deviates', () => {
    for (const statement of [
      'augment "/o:top" { leaf mtu { type uint16; } }',
      'deviation "/o:top/o:l" { deviate add { units m; } }',
    ]) {
      const text = asModule(`${IMPORT} ${statement}`);
      const message = (texts: readonly string[]) => compileTexts(texts, { library })[0]?.warnings[0]?.message;
      assert.equal(message([text]), GIVE_OTHER);
      assert.equal(message([text, OTHER]), `${NO_DATA}, whose document has the data`);
    }
  });

  it('names the modules that its submodules augment', () => {
    const submodule = `submodule s { belongs-to m { prefix m; } ${IMPORT} augment "/o:top" { leaf x { type int8; } } }`;
    const [module] = compileTexts(['module m { namespace "urn:m"; prefix m; include s; }', submodule], {
      library,
    });
    assert.equal(module?.warnings[0]?.message, GIVE_OTHER);
  });

  it('says that all its data is state', () => {
    const body = 'container c { config false; leaf a { type int8; } }';
    assert.match(warningOf(body), /all data of the module is state; convert with the content "all"/);
    assert.deepEqual(compileBody(body, { content: 'all' }).warnings, []);
  });

  it('says nothing if it defines no data', () => {
    for (const body of ['identity i;', 'rpc r;', 'typedef t { type int8; }'])
      assert.deepEqual(compileBody(body).warnings, []);
  });

  it('names what an identityref without identities needs', () => {
    const { schema } = compileBody('identity i; leaf a { type identityref { base i; } }');
    assert.match(
      JSON.stringify(schema),
      /"x-hint":"has no valid value, because no identity derived from m:i is known; convert the module together/,
    );
  });
});

function libraryOf(texts: readonly string[]) {
  return textLibrary(texts.map((text, at) => ({ file: `library-${at}.yang`, text })));
}
