import assert from 'node:assert/strict';
import { type FormDraft, draftOf } from '../../../console/src/design/draft.js';
import { fixedChoicesOf, setFixedChoices } from '../../../console/src/design/fixed-choices.js';

const AT = '/properties/ip-version';

const formOf = (field: object, ui: object = {}): FormDraft =>
  draftOf({
    schema: { type: 'object', properties: { 'ip-version': field } },
    uiSchema: { 'ip-version': ui },
  });

const fieldOf = ({ schema }: FormDraft): unknown =>
  (schema['properties'] as Readonly<Record<string, unknown>>)['ip-version'];

describe('the choices of a field', () => {
  it('are an enum while no choice has a label, and oneOf with titles from the first label on', () => {
    const form = formOf({ type: 'string', title: 'IP version' });
    const plain = setFixedChoices(form, AT, [
      { value: 'ipv4', label: '' },
      { value: 'ipv6', label: '' },
    ]);
    assert.deepEqual(fieldOf(plain), { type: 'string', title: 'IP version', enum: ['ipv4', 'ipv6'] });
    const labeled = setFixedChoices(plain, AT, [
      { value: 'ipv4', label: 'IPv4 only' },
      { value: 'ipv6', label: '' },
    ]);
    assert.deepEqual(fieldOf(labeled), {
      type: 'string',
      title: 'IP version',
      oneOf: [{ const: 'ipv4', title: 'IPv4 only' }, { const: 'ipv6' }],
    });
    assert.deepEqual(fixedChoicesOf(labeled, AT), [
      { value: 'ipv4', label: 'IPv4 only' },
      { value: 'ipv6', label: '' },
    ]);
  });

  it('are numbers in a field of numbers, and none of an empty list', () => {
    const form = formOf({ type: 'integer' });
    const set = setFixedChoices(form, AT, [{ value: '1500', label: '' }]);
    assert.deepEqual(fieldOf(set), { type: 'integer', enum: [1500] });
    assert.deepEqual(fieldOf(setFixedChoices(set, AT, [])), { type: 'integer' });
  });

  it('keep other members of a choice, and leave out values without text and repeated values', () => {
    const form = formOf({ type: 'string', oneOf: [{ const: 'tcp', title: 'TCP', description: 'RFC 9293' }] });
    const set = setFixedChoices(form, AT, [
      { value: 'udp', label: 'UDP' },
      { value: '', label: 'none' },
      { value: 'tcp', label: 'TCP/IP' },
      { value: 'udp', label: 'again' },
    ]);
    assert.deepEqual(fieldOf(set), {
      type: 'string',
      oneOf: [
        { const: 'udp', title: 'UDP' },
        { const: 'tcp', title: 'TCP/IP', description: 'RFC 9293' },
      ],
    });
  });

  it('are read with the labels of ui:enumNames, which an edit replaces', () => {
    const form = formOf({ type: 'string', enum: ['tcp', 'udp'] }, { 'ui:enumNames': ['TCP', 'udp'] });
    const choices = fixedChoicesOf(form, AT);
    assert.deepEqual(choices, [
      { value: 'tcp', label: 'TCP' },
      { value: 'udp', label: '' },
    ]);
    const set = setFixedChoices(form, AT, choices);
    assert.deepEqual(fieldOf(set), {
      type: 'string',
      oneOf: [{ const: 'tcp', title: 'TCP' }, { const: 'udp' }],
    });
    assert.deepEqual(set.uiSchema, {});
  });

  it('are not edited when oneOf has other alternatives', () => {
    assert.equal(fixedChoicesOf(formOf({ oneOf: [{ pattern: 'a' }, { const: 'b' }] }), AT), undefined);
  });
});
