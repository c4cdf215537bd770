import assert from 'node:assert/strict';
import { EMPTY_DRAFT, type FormDraft } from '../../../console/src/design/draft.js';
import { choicesOf, isComplete, listsIn, setChoices } from '../../../console/src/design/query-bindings.js';
import { bindingsOf, openForm, optionsFrom, readJson } from '../../../console/src/form/model/index.js';

const DRAFT: FormDraft = {
  ...EMPTY_DRAFT,
  schema: { type: 'object', properties: { device: { type: 'string' }, site: { type: 'string' } } },
};
const DEVICE = '/properties/device';
const QUERY = {
  adapter: 'nso1.example.com',
  path: '/restconf/data/tailf-ncs:devices/device',
  values: '/tailf-ncs:device',
  value: '/name',
  label: '/description',
};
const REPLY = { 'tailf-ncs:device': [{ name: 'pe1', description: 'Berlin', ports: [] }, { name: 'pe2' }] };

describe('the choices of a field from a query', () => {
  it('are stored as a binding that the form sends and reads', () => {
    const { schema, uiSchema, bindingSchema } = setChoices(DRAFT, DEVICE, QUERY);
    const form = openForm({ schema, uiSchema, bindingSchema, data: readJson('{}') });
    const [binding] = bindingsOf(form);
    assert.ok(binding);
    assert.equal(binding.path, '/device');
    assert.equal(binding.href, '/orchestrator_manager/restQuery/nso1.example.com');
    assert.deepEqual(binding.variables, {
      params: { path: QUERY.path, accept: 'application/yang-data+json' },
    });
    assert.deepEqual(optionsFrom(binding, readJson(JSON.stringify(REPLY))), [
      { value: 'pe1', label: 'Berlin' },
      { value: 'pe2', label: 'pe2' },
    ]);
  });

  it('are found again, and can be removed without a trace', () => {
    const bound = setChoices(DRAFT, DEVICE, QUERY);
    assert.deepEqual(choicesOf(bound, DEVICE), QUERY);
    assert.equal(choicesOf(bound, '/properties/site'), 'fixed');
    assert.deepEqual(setChoices(bound, DEVICE, undefined), DRAFT);
  });

  it('are not edited if the binding has more than the designer shows', () => {
    const bound = setChoices(DRAFT, DEVICE, QUERY);
    const { properties } = bound.bindingSchema as { readonly properties: { readonly device: object } };
    const withTarget = (target: string): FormDraft => ({
      ...bound,
      bindingSchema: { properties: { device: { ...properties.device, 'binding:target': target } } },
    });
    assert.deepEqual(choicesOf(withTarget('/enum'), DEVICE), QUERY);
    assert.equal(choicesOf(withTarget('/default'), DEVICE), 'other');
  });

  it('keep the bindings of nested fields', () => {
    const bindingSchema = { properties: { device: { properties: { port: { 'binding:target': '/enum' } } } } };
    const bound = setChoices({ ...DRAFT, bindingSchema }, DEVICE, QUERY);
    assert.deepEqual(setChoices(bound, DEVICE, undefined).bindingSchema, bindingSchema);
  });

  it('need an adapter and a path', () => {
    assert.ok(isComplete(QUERY));
    assert.ok(!isComplete({ ...QUERY, adapter: '' }));
    assert.ok(!isComplete({ ...QUERY, path: '' }));
  });

  it('come from any list of a reply that has entries', () => {
    assert.deepEqual(listsIn(REPLY), [
      {
        pointer: '/tailf-ncs:device',
        entries: REPLY['tailf-ncs:device'],
        members: [
          { pointer: '/name', example: 'pe1' },
          { pointer: '/description', example: 'Berlin' },
        ],
      },
    ]);
    assert.deepEqual(listsIn(['a', 'b']), [{ pointer: '', entries: ['a', 'b'], members: [] }]);
    assert.deepEqual(listsIn({ a: { b: [] } }), []);
  });
});
