import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePattern } from '../../../src/json-schema/engine/ecma-pattern.js';
import { openModules } from '../../../src/yang/compile.js';
import { openDocumentValidator } from '../../../src/yang/document/validate-document.js';
import { xmlValidatorOf } from '../../../src/yang/encoding/xml-document.js';
import { YANGLINT } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { asModule, documentCheckOf } from '../../support/yang.js';

const MODULE = asModule(`import ietf-yang-metadata { prefix md; }
   md:annotation note { type uint8; }
   identity base; identity a { base base; }
   container c {
     leaf n { type uint8 { range "1..10"; } } leaf s { type string; } leaf-list ll { type string; } leaf e { type empty; }
     leaf i { type identityref { base base; } } leaf u { type union { type uint8; type enumeration { enum any; } } }
     leaf ref { type leafref { path "../l/k"; } } leaf ii { type instance-identifier; } leaf big { type uint64; }
     leaf d { type decimal64 { fraction-digits 2; } } leaf b { type binary; } leaf bits { type bits { bit x; bit y; } } leaf o { type boolean; }
     list l { key "k j"; leaf k { type string; } leaf j { type uint8; } leaf v { type int8; must ". > 1"; } } anydata any; anyxml ax; }
   container d { presence "on"; leaf m { type string; mandatory true; } }
   rpc r { input { leaf a { type uint8; mandatory true; } } }`);

/** Documents inside the container `c`, with their violations. */
const INSIDE: readonly (readonly [xml: string, ...violations: readonly string[]])[] = [
  ['<n>5</n><s>a<![CDATA[<b>]]>&#x41;</s><ll>a</ll><ll>b</ll><e/>'],
  ["<ii xmlns:p='urn:m'>/p:c/p:l[p:k='q'][p:j='1']</ii><l><k>q</k><j>1</j><v>2</v></l><ref>q</ref>"],
  ['<big>18446744073709551615</big><d>1.500</d><b>QQ==</b><bits>y x</bits><o>true</o><u>any</u>'],
  ['<i>a</i><any><x xmlns="urn:z">1</x></any><ax>t</ax>'],
  ['<any/><i xmlns:p="urn:m">p:a</i>'],
  ['<n>50</n>', '/m:c/n must be in the range 1..10'],
  ['<n>x</n>', '/m:c/n is no value of the type uint8'],
  ['<n>1</n><n>2</n>', '/m:c/n occurs twice'],
  ['<zz/>', '/m:c/zz is no node of the model here'],
  [
    '<q xmlns="urn:q"/>',
    '/m:c/q has the namespace "urn:q" of none of the modules; correct it, or add the module',
  ],
  ['<q xmlns=""/>', '/m:c/q has no namespace; write the namespace of its module'],
  ['text', '/m:c must have elements only, and has text'],
  ['<s><n/></s>', '/m:c/s must be a value, and has elements'],
  ['<e>x</e>', '/m:c/e must be [null]'],
  ['<e> </e>', '/m:c/e must be [null]'],
  ['<o> true </o>', '/m:c/o must be true or false'],
  [
    '<i>p:a</i>',
    '/m:c/i has the prefix "p", which has no namespace',
    '/m:c/i is no identity derived from "m:base"',
  ],
  ['<i>m:a</i>', '/m:c/i has the prefix "m", which has no namespace'],
  ['<i> a </i>', '/m:c/i is no identity derived from "m:base"'],
  ['<ii>/m:c</ii>', '/m:c/ii has the prefix "m", which has no namespace'],
  ['<ii>/c</ii>', '/m:c/ii needs a prefix before "c" (RFC 7950 9.13.2)'],
  ['<ii xmlns:p="urn:m">/p:c/n</ii><n>5</n>', '/m:c/ii needs a prefix before "n" (RFC 7950 9.13.2)'],
  ['<ref>q</ref>', '/m:c/ref refers to "q", which is not in the document: path "../l/k"'],
  ['<l><k>q</k></l>', '/m:c/l/0/j is a key of the list, and is missing'],
  ['<l><j>1</j><k>q</k></l>', '/m:c/l/0/j is a key of the list, and keys come first, in their order'],
  ['<l><k>q</k><j>1</j></l><n>5</n><l><k>q</k><j>1</j></l>', '/m:c/l/1 must differ from entry 0 in its keys'],
  ['<l><k>q</k><j>1</j><v>1</v></l>', '/m:c/l/0/v violates must ". > 1"'],
  ['<ll>a</ll><ll>a</ll>', '/m:c/ll/1 must differ from entry 0 in its value'],
  ['<s xmlns:m="urn:m" m:note="5">s</s>'],
  ['<ll>a</ll><ll xmlns:m="urn:m" m:note="300">b</ll>', '/m:c/@ll/1/m:note must be in the range 0..255'],
  [
    '<s xmlns:m="urn:m" m:other="1">s</s>',
    '/m:c/@s/m:other is no annotation of the modules; remove it, or add the module that defines it',
  ],
  ['<s plain="x">s</s>', '/m:c/@s/plain has no namespace; write the namespace of its module'],
  ['<n>5', ' is not well-formed XML at line 1, column 26'],
];

const xmlCheckOf = (text: string, target?: string): ((xml: string) => readonly string[]) => {
  const linked = openModules([{ file: 'm.yang', text }]);
  assert.ok('value' in linked);
  const opened = openDocumentValidator(linked.value, {
    compilePattern,
    ...(target !== undefined && { target }),
  });
  assert.ok('validate' in opened);
  const validate = xmlValidatorOf(linked.value, opened, compilePattern);
  return (xml) =>
    validate(Buffer.from(xml)).violations.map(({ pointer, message }) => `${pointer} ${message}`);
};

const inside = (xml: string): string => `<c xmlns="urn:m">${xml}</c>`;

describe('the validation of documents of XML', () => {
  const check = xmlCheckOf(MODULE);

  for (const [xml, ...violations] of INSIDE)
    it(`${violations.length === 0 ? 'accepts' : 'refuses'} ${xml}`, () => {
      assert.deepEqual(check(inside(xml)), violations);
    });

  it('reports the violations of a document of JSON with the same data, and those of XML with them', () => {
    const json = documentCheckOf([MODULE])({ 'm:c': { n: 11, l: [{ k: 'q' }], ref: 'x' } });
    assert.deepEqual(check(inside('<n>11</n><l><k>q</k></l><ref>x</ref>')), json);
    assert.deepEqual(check(inside('<n>11</n><l><k>q</k></l><ref>x</ref><z/>')), [
      '/m:c/z is no node of the model here',
      ...json,
    ]);
  });

  it('takes the elements inside those of NETCONF and RESTCONF, and elements without a root', () => {
    const wrapped =
      '<data xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><c xmlns="urn:m"><n>0</n></c></data>';
    assert.deepEqual(check(wrapped), ['/m:c/n must be in the range 1..10']);
    const several = '<?xml version="1.0" encoding="UTF-8"?>\n<c xmlns="urn:m"/>\n<d xmlns="urn:m"/>';
    assert.deepEqual(check(several), ['/m:d/m is mandatory, and is missing']);
  });

  it('names the line of a fault, and refuses a document type, and an end of the root that it adds', () => {
    assert.deepEqual(check(`<c xmlns="urn:m">\n<n></c>`), [' is not well-formed XML at line 2, column 8']);
    assert.deepEqual(check(`<!DOCTYPE c><c xmlns="urn:m"/>`), [
      ' has a document type declaration, which is forbidden',
    ]);
    assert.deepEqual(check('</data><data>').length, 1);
  });

  it('takes the input of an operation as NETCONF and as RESTCONF name it', () => {
    const checkInput = xmlCheckOf(MODULE, 'rpc:r/input');
    assert.deepEqual(checkInput('<r xmlns="urn:m"><a>5</a></r>'), []);
    assert.deepEqual(checkInput('<input xmlns="urn:m"><a>500</a></input>'), [
      '/m:input/a must be in the range 0..255',
    ]);
  });

  itWith(YANGLINT, 'has the verdicts of yanglint', () => {
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 'm.yang'), MODULE);
    const verdicts = INSIDE.map(([xml], at) => {
      const file = `${at}.xml`;
      writeFileSync(join(folder, file), inside(xml));
      return spawnSync('yanglint', ['-t', 'config', 'm.yang', file], { cwd: folder }).status === 0;
    });
    const ours = INSIDE.map(([, ...violations]) => violations.length === 0);
    assert.deepEqual(verdicts, ours);
  });
});
