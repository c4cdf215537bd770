import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary, headingOf } from '../../src/yang/modules/library.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  assertData,
  assertRefused,
  compileBody,
  compileText,
  compileTexts,
  faultsOf,
  yang11,
} from '../support/yang.js';

/** A module in YIN with the prefix `m`; the body begins in line 3. */
function yin(body: string, namespaces = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<module name="m" xmlns="urn:ietf:params:xml:ns:yang:yin:1" xmlns:m="urn:m" ${namespaces}>
${body}
</module>`;
}

const HEADER = '<yang-version value="1.1"/><namespace uri="urn:m"/><prefix value="m"/>';

describe('YIN', () => {
  it('compiles to the same schema as YANG', () => {
    const inYin = compileText(
      yin(`${HEADER}
        <organization><text>Example &amp; Co</text></organization>
        <revision date="2024-01-31"/>
        <feature name="f"/>
        <typedef name="t"><type name="string"><pattern value="[a-z]+"><error-message><value>a "word"</value></error-message></pattern></type></typedef>
        <container name="c">
          <description><text>First line.
second line.</text></description>
          <must condition="a &lt; 5"/>
          <list name="l"><key value="k"/><unique tag="x"/><leaf name="k"><type name="t"/></leaf><leaf name="x"><type name="int8"/></leaf></list>
          <leaf name="a"><if-feature name="f"/><type name="int8"><range value="1..9"/></type><default value="3"/></leaf>
        </container>
        <augment target-node="/m:c"><leaf name="b"><when condition="../a"/><type name="empty"/></leaf></augment>
        <rpc name="r"><input><leaf name="i"><type name="string"/></leaf></input></rpc>`),
    );
    const inYang = compileBody(`organization "Example & Co"; revision 2024-01-31; feature f;
         typedef t { type string { pattern '[a-z]+' { error-message 'a "word"'; } } }
         container c { description "First line.\\nsecond line."; must "a < 5";
           list l { key k; unique x; leaf k { type t; } leaf x { type int8; } }
           leaf a { if-feature f; type int8 { range 1..9; } default 3; } }
         augment /m:c { leaf b { when "../a"; type empty; } }
         rpc r { input { leaf i { type string; } } }`);
    assert.deepEqual(inYin, inYang);
  });

  it('takes the argument of an extension from an attribute or an element', () => {
    const extensions = yang11(
      'e',
      'extension a { argument name; } extension t { argument text { yin-element true; } } extension n;',
    );
    const body = `${HEADER}<import module="e"><prefix value="e"/></import>
      <leaf name="x"><e:a name="one"/><e:t><e:text>two</e:text><e:n/></e:t><type name="string"/></leaf>`;
    const [module] = compileTexts([yin(body, 'xmlns:e="urn:e"'), extensions]);
    const properties = module?.schema['properties'] as Record<string, { 'x-yang': { ext: unknown } }>;
    assert.deepEqual(properties['m:x']?.['x-yang'].ext, [
      { name: 'e:a', argument: 'one' },
      { name: 'e:t', argument: 'two' },
    ]);
  });

  it('may be the form of an imported module and of a submodule in a folder', () => {
    const created = temporaryFolder();
    const folder = created.path;
    const namespace = 'xmlns="urn:ietf:params:xml:ns:yang:yin:1"';
    mkdirSync(join(folder, 'more'));
    writeFileSync(
      join(folder, 'more', 's.yin'),
      `<submodule name="s" ${namespace}><belongs-to module="y"><prefix value="y"/></belongs-to>
       <leaf name="a"><type name="int8"/></leaf></submodule>`,
    );
    writeFileSync(
      join(folder, 't@2024-01-31.yin'),
      `<module name="t" ${namespace}><namespace uri="urn:t"/><prefix value="t"/><revision date="2024-01-31"/>
       <typedef name="word"><type name="string"/></typedef></module>`,
    );
    const text = `module y { namespace "urn:y"; prefix y; import t { prefix t; revision-date 2024-01-31; } include s;
      leaf b { type t:word; } }`;
    const compiled = compileYang([{ file: 'y.yang', text }], { library: directoryLibrary([folder]) });
    assert.ok('modules' in compiled, JSON.stringify(compiled));
    assertData(compiled.modules[0]!, [{ 'y:a': 5, 'y:b': 'x' }], [{ 'y:a': 'x' }]);
    created.remove();
  });

  it('reports faults at the line and column of the element', () => {
    assert.deepEqual(faultsOf([yin(`${HEADER}\n  <leaf\n name="a"><type name="nope"/></leaf>`)]), [
      '0.yang:5:11 there is no type "nope"',
    ]);
    assert.deepEqual(faultsOf([yin(`${HEADER}\n  <leaf name="a"/>`)]), [
      '0.yang:4:3 "leaf" needs a "type" inside',
    ]);
  });

  for (const [text, expected] of [
    [yin(`${HEADER}<leaf name="a"></list>`), /3:\d+ XML: unexpected close tag/],
    [yin(`${HEADER}<leaf name="a">`).replace('</module>', ''), /XML: unclosed tag/],
    [
      `<!DOCTYPE module [<!ENTITY a "b">]>\n${yin(HEADER).replace(/^.*\n/, '')}`,
      /1:1 a document type declaration is not allowed in YIN/,
    ],
    [yin(`${HEADER}<contact><text>&nbsp;</text></contact>`), /XML: undefined entity/],
    [yin(`${HEADER}<leaf id="a"/>`), /<leaf> has no attribute "id"; its argument is "name"/],
    [yin(`${HEADER}<container name="c">text</container>`), /text is not allowed inside <container>/],
    [
      '<rpc-reply xmlns="urn:x"/>',
      /1:1 this is XML, but not YIN: it begins with <rpc-reply> of the namespace "urn:x"/,
    ],
    ['<!DOCTYPE html>\n<html><br></html>', /1:1 this is HTML; /],
    ['PK\u0003\u0004....', /this is a ZIP archive/],
    ['{"module": "m"}', /this is JSON, not YANG/],
  ] as const)
    it(`is refused: ${expected.source}`, () => {
      assertRefused([text], expected);
    });

  it('has a heading with the name and the newest revision', () => {
    assert.deepEqual(headingOf(yin(`${HEADER}<revision date="2023-01-01"/><revision date="2024-01-31"/>`)), {
      name: 'm',
      kind: 'module',
      revision: '2024-01-31',
    });
  });
});
