import assert from 'node:assert/strict';
import { asModule, documentCheckOf, yang11 } from '../support/yang.js';

// The nodes that the uses of a grouping add share their definition. A change of one use must not reach the others.

const BODY = `
  feature f;
  identity base; identity one { base base; }
  grouping inner {
    leaf deep { type int8; must ". < 50"; }
    leaf-list many { type string; }
    container box { leaf x { type string; } }
    choice ch { case a { leaf ca { type string; } } leaf cb { type string; } }
    anydata any;
  }
  grouping g {
    leaf a { type string; }
    leaf mode { type identityref { base base; } }
    leaf rel { type leafref { path "../target"; } }
    leaf either { type union { type leafref { path "../target"; } type enumeration { enum none; } } }
    list l { key k; unique v; leaf k { type string; } leaf far { type leafref { path "../../name"; } } leaf v { type int8; } }
    container h { uses inner { when "not(../a = 'no')"; } }
    container p { presence "here"; leaf y { type string; mandatory true; } }
  }
  container refined { presence "here"; leaf name { type int8; } leaf target { type int8; }
    uses g { refine a { mandatory true; } refine h/deep { default 3; must ". > 2"; } refine h/many { min-elements 1; max-elements 2; }
      refine h/ch { mandatory true; } refine h/any { config false; } refine h/box { if-feature f; }
      augment l { leaf extra { type string; mandatory true; } } augment h/ch { case z { leaf cz { type string; } } } } }
  container chosen { leaf name { type boolean; } leaf target { type enumeration { enum x; enum y; } }
    uses g { when "name = 'true'"; augment h { leaf more { type string; } } } }
  container plain { leaf name { type string { length 2; } } leaf target { type string { pattern "z+"; } } uses g; }
  container state { config false; leaf name { type int16; } leaf target { type int16; } uses g; }
  container deviated { presence "here"; leaf name { type int8; } leaf target { type int8; } uses g; }
  container deleted { leaf name { type int8; } leaf target { type int8; } uses g; }`;

const DEVIATIONS = `import m { prefix m; }
  deviation /m:deviated/m:h/m:deep { deviate delete { must ". < 50"; } deviate replace { type string; } deviate add { default "text"; } }
  deviation /m:deviated/m:l { deviate add { min-elements 1; max-elements 2; } deviate delete { unique v; } }
  deviation /m:deviated/m:a { deviate add { mandatory true; } deviate add { must "../m:name > 1"; } }
  deviation /m:deviated/m:h/m:box { deviate not-supported; }
  deviation /m:deleted/m:h/m:deep { deviate delete { must ". < 50"; } }
  deviation /m:deleted/m:p/m:y { deviate replace { mandatory false; } }
  deviation /m:deleted/m:rel { deviate replace { type leafref { path "../m:name"; } } }
  augment /m:deleted/m:h { leaf added { type string; } }`;

const REFINED = { a: '', l: [{ k: '1', extra: '' }], h: { deep: 3, many: ['1'], ca: '' } };
const DEVIATED = { a: '', name: 2, l: [{ k: '1' }] };

describe('the uses of a grouping, which share definitions', () => {
  const check = documentCheckOf([asModule(BODY), yang11('d', DEVIATIONS)], {
    features: new Map([['m', new Set<string>()]]),
  });
  const accepts = (name: string, data: unknown): void => {
    assert.deepEqual(check({ [`m:${name}`]: data }), [], `${name} ${JSON.stringify(data)}`);
  };
  const refuses = (name: string, data: unknown): void => {
    assert.notDeepEqual(check({ [`m:${name}`]: data }), [], `${name} ${JSON.stringify(data)}`);
  };

  it('keep the refinements of one use from the others', () => {
    accepts('refined', REFINED);
    refuses('refined', { l: REFINED.l, h: REFINED.h });
    for (const h of [
      { deep: 3, ca: '' },
      { deep: 3, many: ['1', '2', '3'], ca: '' },
      { deep: 3, many: ['1'] },
      { deep: 2, many: ['1'], ca: '' },
      { deep: 3, many: ['1'], ca: '', any: {} },
      { deep: 3, many: ['1'], ca: '', box: { x: '' } },
    ])
      refuses('refined', { ...REFINED, h });
    accepts('refined', { ...REFINED, h: { many: ['1'], ca: '' } });
    accepts('plain', { h: { deep: 2, many: ['1', '2', '3'], any: {}, box: { x: '' } } });
    refuses('plain', { h: { deep: 50 } });
  });

  it('keep the augments of one use from the others', () => {
    accepts('refined', { ...REFINED, h: { many: ['1'], cz: '' } });
    refuses('refined', { ...REFINED, l: [{ k: '1' }] });
    accepts('chosen', { name: true, h: { more: '' } });
    refuses('plain', { h: { more: '' } });
    refuses('plain', { h: { cz: '' } });
    accepts('plain', { l: [{ k: '1' }] });
  });

  it('keep the condition of one use from the others, and have the condition inside of them all', () => {
    refuses('chosen', { name: false, a: '' });
    accepts('chosen', { name: true, a: '' });
    accepts('plain', { a: '' });
    for (const name of ['plain', 'deleted']) refuses(name, { a: 'no', h: { many: ['1'] } });
  });

  it('keep the deviations of one use from the others', () => {
    accepts('deviated', DEVIATED);
    accepts('deviated', { ...DEVIATED, h: { deep: 'text' } });
    refuses('deviated', { ...DEVIATED, name: 1 });
    refuses('deviated', { name: 2, l: DEVIATED.l });
    refuses('deviated', { ...DEVIATED, l: [] });
    refuses('deviated', { ...DEVIATED, l: [{ k: '1' }, { k: '2' }, { k: '3' }] });
    refuses('deviated', { ...DEVIATED, h: { box: {} } });
    const twice = [
      { k: '1', v: 1 },
      { k: '2', v: 1 },
    ];
    accepts('deviated', { ...DEVIATED, l: twice });
    accepts('deleted', { p: {}, h: { deep: 50, 'd:added': '' } });
    refuses('plain', { l: twice });
    refuses('plain', { p: {} });
    refuses('plain', { h: { 'd:added': '' } });
    refuses('plain', { h: { deep: 'text' } });
    accepts('plain', { h: { box: { x: '' } }, l: [{ k: '1' }, { k: '2' }, { k: '3' }] });
  });

  it('have references to the targets of their own place', () => {
    accepts('chosen', { name: true, target: 'x', rel: 'x', either: 'x', l: [{ k: '1', far: true }] });
    refuses('chosen', { name: true, target: 'x', rel: 'zz' });
    refuses('chosen', { name: true, target: 'x', either: 'y' });
    accepts('plain', { name: 'ab', target: 'zz', rel: 'zz', either: 'none', l: [{ k: '1', far: 'ab' }] });
    refuses('plain', { name: 'ab', target: 'zz', rel: 'x' });
    refuses('plain', { name: 'ab', l: [{ k: '1', far: true }] });
    accepts('deleted', { name: 1, rel: 1 });
    refuses('deleted', { target: 1, rel: 1 });
    accepts('deviated', { ...DEVIATED, target: 1, rel: 1 });
    refuses('deviated', { ...DEVIATED, rel: 2 });
  });

  it('have the same identities, and the configuration of their own place', () => {
    accepts('plain', { mode: 'm:one' });
    refuses('plain', { mode: 'm:base' });
    refuses('state', { a: '' });
  });
});
