import assert from 'node:assert/strict';
import { type FormDraft, draftOf } from '../../../console/src/design/draft.js';
import { fixedChoicesOf, setFixedChoices } from '../../../console/src/design/fixed-choices.js';
import { option } from '../form/option.js';

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
    const plain = setFixedChoices(form, AT, [option('ipv4', ''), option('ipv6', '')]);
    assert.deepEqual(fieldOf(plain), { type: 'string', title: 'IP version', enum: ['ipv4', 'ipv6'] });
    const labeled = setFixedChoices(plain, AT, [option('ipv4', 'IPv4 only'), option('ipv6', '')]);
    assert.deepEqual(fieldOf(labeled), {
      type: 'string',
      title: 'IP version',
      oneOf: [{ const: 'ipv4', title: 'IPv4 only' }, { const: 'ipv6' }],
    });
    assert.deepEqual(fixedChoicesOf(labeled, AT), [option('ipv4', 'IPv4 only'), option('ipv6', '')]);
  });

  it('are numbers in a field of numbers, and none of an empty list', () => {
    const form = formOf({ type: 'integer' });
    const set = setFixedChoices(form, AT, [option('1500', '')]);
    assert.deepEqual(fieldOf(set), { type: 'integer', enum: [1500] });
    assert.deepEqual(fieldOf(setFixedChoices(set, AT, [])), { type: 'integer' });
  });

  it('keep other members of a choice, and leave out values without text and repeated values', () => {
    const form = formOf({ type: 'string', oneOf: [{ const: 'tcp', title: 'TCP', description: 'RFC 9293' }] });
    const set = setFixedChoices(form, AT, [
      option('udp', 'UDP'),
      option('', 'none'),
      option('tcp', 'TCP/IP'),
      option('udp', 'again'),
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
    assert.deepEqual(choices, [option('tcp', 'TCP'), option('udp', '')]);
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
