import assert from 'node:assert/strict';
import { YANGLINT } from '../../test/support/need-list.js';
import { itWith } from '../../test/support/needs.js';
import { yang11 } from '../../test/support/yang.js';
import { compareRules } from './compare-rules.js';

/** Modules whose rules depend on each other. */
const MODULES: Readonly<Record<string, string>> = {
  conditions: `
    grouping g { leaf extra { type int8; default 3; } container inner { leaf deep { type string { length 1..3; } mandatory true; } } }
    container c {
      leaf kind { type enumeration { enum a; enum b; enum c; } default a; }
      leaf x { when "../kind = 'a'"; type int8 { range 1..4; } default 2; }
      leaf y { when "../x > 2"; type int8 { range 1..3; } mandatory true; }
      uses g { when "kind = 'b'"; }
      choice h { when "kind != 'c'"; mandatory true; case one { leaf p { type empty; } } case two { leaf q { type empty; } leaf r { type int8; } } }
      leaf-list many { when "../kind = 'c'"; type int8 { range 1..9; } min-elements 1; max-elements 3; }
      must "not(q) or x = 2" { error-message "q needs x = 2"; }
    }`,
  references: `
    list port { key name; unique "speed lane"; leaf name { type string { length 1..2; pattern "[ab]*"; } } leaf speed { type int8 { range 1..2; } default 1; } leaf lane { type int8 { range 1..2; } } leaf up { type boolean; default true; } }
    list lag { key id; max-elements 2; leaf id { type int8 { range 1..3; } }
      leaf-list member { type leafref { path "/port/name"; } must "/port[name = current()]/up = 'true'"; }
      leaf primary { type leafref { path "../member"; } }
      leaf speed { type leafref { path "/port[name = current()/../primary]/speed"; } }
      leaf other { type union { type leafref { path "/port/name"; } type enumeration { enum none; enum all; } } } }
    leaf target { type instance-identifier; }`,
  functions: `
    identity animal; identity dog { base animal; } identity puppy { base dog; } identity cat { base animal; }
    container c {
      leaf kind { type identityref { base animal; } }
      leaf bone { when "derived-from-or-self(../kind, 'dog')"; type int8 { range 0..3; } }
      leaf toy { when "derived-from(../kind, 'dog') or ../kind = 'cat'"; type string { length 0..2; } }
      leaf flags { type bits { bit a; bit b; bit c; } must "not(bit-is-set(., 'a')) or bit-is-set(., 'b')"; }
      leaf level { type enumeration { enum low { value 1; } enum mid { value 5; } enum high { value 9; } } must "enum-value(.) < 9 or ../bone"; }
      leaf name { type string { length 0..3; pattern "[xyz]*"; } must "re-match(., '[xy]*')"; }
      leaf rate { type decimal64 { fraction-digits 2; range "0..2"; } must ". * 2 <= 3 or count(../*) > 4"; }
      list l { key k; leaf k { type int8 { range 1..5; } } leaf next { type int8 { range 1..5; } must "deref(../ref)/../k = . or not(../ref)"; } leaf ref { type leafref { path "../../l/k"; } must ". != ../k"; } must "count(preceding-sibling::l) < 3"; }
    }`,
};

describe('the validation of documents beside yanglint', () => {
  for (const [name, body] of Object.entries(MODULES))
    itWith(YANGLINT, `agrees about random documents of the module ${name}`, async () => {
      const compared = await compareRules({
        source: { file: `${name}.yang`, text: yang11(name, body) },
        options: {},
        content: 'config',
        documents: 300,
        seed: 7,
      });
      assert.ok(!('skipped' in compared), JSON.stringify(compared));
      const different = compared.filter(
        ({ ours, theirs }) => (ours === undefined) !== (theirs === undefined),
      );
      assert.deepEqual(
        different
          .slice(0, 3)
          .map(({ document, ours, theirs }) => ({ document: JSON.stringify(document), ours, theirs })),
        [],
        `${different.length} of ${compared.length} differ`,
      );
      const accepted = compared.filter(({ theirs }) => theirs === undefined).length;
      assert.ok(
        accepted > 20 && compared.length - accepted > 20,
        `${accepted} of ${compared.length} are valid`,
      );
    });
});
