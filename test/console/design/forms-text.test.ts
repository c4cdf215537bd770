import assert from 'node:assert/strict';
import { exportName, readForms } from '../../../console/src/pages/forms/forms-text.js';

describe('a text that forms are imported from', () => {
  it('is a list, an object with a list, or one form; every digit goes on', () => {
    const form = '{"name": "a", "schema": {"maximum": 18446744073709551615}}';
    for (const text of [form, `[${form}]`, `{"forms": [${form}]}`]) {
      const { json, names } = readForms(text);
      assert.deepEqual(names, ['a']);
      assert.match(json, /^\{"forms": ?\[.*18446744073709551615\}\}\]\}$/);
    }
  });

  it('is refused with what stands there instead', () => {
    assert.throws(() => readForms('3'), /neither a form nor a list of forms/);
    assert.throws(() => readForms('{"nam": "a"}'), /"name"/);
    assert.throws(() => readForms('{'), SyntaxError);
    assert.deepEqual(readForms('[{}]').names, ['(no name)']);
  });

  it('comes from a file with a name that every system takes', () => {
    assert.equal(exportName(['Port / VLAN: new']), 'Port-VLAN-new.json');
    assert.equal(exportName(['//']), 'form.json');
    assert.equal(exportName(['a', 'b']), 'forms-2.json');
  });
});
