import assert from 'node:assert/strict';
import { FaultList } from '../../src/yang/diagnostic.js';
import { compileText, faultsOf } from '../support/yang.js';

const ORDER = `module a { namespace "urn:a"; prefix a;
  revision 2024-01-01;
  description "after revision";
  container c { leaf one { type string; } }
}`;
const SLASH = `module a { namespace "urn:a"; prefix a;
  container c { leaf one { type string; } }
  augment "/a:c/" { leaf two { type string; } }
}`;

describe('a lenient compilation', () => {
  for (const [fault, text, warning] of [
    [
      'statements in the wrong order',
      ORDER,
      /^tolerated: 0\.yang:3:3: "description" is not allowed after "revision" \[RFC 7950 7\.1\.1\]$/,
    ],
    [
      'a slash at the end of the path of an augment',
      SLASH,
      /^tolerated: 0\.yang:3:3: augment: "\/a:c\/" is not a path of schema nodes \[RFC 6020 7\]$/,
    ],
  ] as const)
    it(`reports ${fault} as a warning`, () => {
      assert.equal(faultsOf([text]).length, 1);
      const { schema, warnings } = compileText(text, { lenient: true });
      assert.match(warnings[0]?.message ?? '', warning);
      assert.match(JSON.stringify(schema), /"one"/);
      // The same text is still refused by the next strict compilation.
      assert.equal(faultsOf([text]).length, 1);
    });

  it('adds the nodes of an augment whose path ends in a slash', () => {
    assert.match(JSON.stringify(compileText(SLASH, { lenient: true }).schema), /"two"/);
  });

  it('refuses every other fault', () => {
    for (const path of ['/a:c//', '/', '/a:none/'])
      assert.equal(faultsOf([SLASH.replace('"/a:c/"', `"${path}"`)], { lenient: true }).length, 1, path);
    assert.equal(faultsOf([ORDER.replace('type string', 'type nothing')], { lenient: true }).length, 1);
  });

  it('counts also the faults that it does not keep, so that no faulty text passes for a valid one', () => {
    const faults = new FaultList({ isLenient: true });
    const source = { file: 'a.yang', text: '' };
    for (let line = 1; line <= 500; line += 1)
      faults.addHarmless({ source, line, column: 1 }, 'rule', 'fault');
    assert.equal(faults.added, 500);
    assert.ok(faults.tolerated().length < 500);
  });

  it('adds no warning to a valid text', () => {
    const text = ORDER.replace(/description.*/, '');
    assert.deepEqual(compileText(text, { lenient: true }), compileText(text));
  });
});
