import assert from 'node:assert/strict';
import { exportName, readForms } from '../../../console/src/pages/forms/forms-text.js';
import { setMessages } from '../../../console/src/text/text.js';
import { messagesOf } from '../../support/console-texts.js';

before(() => {
  setMessages(messagesOf('en'));
});

describe('the import and export of forms', () => {
  it('reads a list, an object with a list, or one form, and keeps all digits', () => {
    const form = '{"name": "a", "schema": {"maximum": 18446744073709551615}}';
    for (const text of [form, `[${form}]`, `{"forms": [${form}]}`, `{"at": 1, "forms": [${form}]}`]) {
      const { json, names } = readForms(text);
      assert.deepEqual(names, ['a']);
      assert.match(json, /^\{"forms": ?\[.*18446744073709551615\}\}\]\}$/);
    }
  });

  it('reports why a text is not a form', () => {
    assert.throws(() => readForms('3'), /neither a form nor a list of forms/);
    assert.throws(() => readForms('{"nam": "a"}'), /"name"/);
    assert.throws(() => readForms('{'), SyntaxError);
    assert.deepEqual(readForms('[{}]').names, ['(no name)']);
  });

  it('exports to a portable file name', () => {
    assert.equal(exportName(['Port / VLAN: new']), 'Port-VLAN-new.json');
    assert.equal(exportName(['//']), 'form.json');
    assert.equal(exportName(['a', 'b']), 'forms-2.json');
  });
});
