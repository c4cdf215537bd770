import assert from 'node:assert/strict';
import { readAddress, taskPath } from '../../../console/src/task/address.js';

describe('the address of a task page', () => {
  const read = (search: string) => readAddress({ pathname: '/json-forms/task/ShowJsonForm', search });

  it('names a task, or the variables of a new task, with documents as JSON', () => {
    assert.deepEqual(readAddress(new URL(taskPath('RenderYangForm', 'a1'), 'http://here')), {
      kind: 'task',
      view: 'RenderYangForm',
      id: 'a1',
    });
    assert.deepEqual(read('?form_id=New%20site&instance_data={"a":1}'), {
      kind: 'new',
      view: 'ShowJsonForm',
      variables: { form_id: 'New site', instance_data: { a: 1 } },
    });
  });

  it('accepts the query of an HTML form: spaces as +, without empty fields and the token', () => {
    assert.deepEqual(read('?form_id=New+site&instance_data=&title=&token=x'), {
      kind: 'new',
      view: 'ShowJsonForm',
      variables: { form_id: 'New site' },
    });
  });

  it('reports the variable that is not valid JSON', () => {
    assert.throws(() => read('?form_id=x&instance_data=%7B'), /variable instance_data .* not valid JSON/);
  });
});
