import assert from 'node:assert/strict';
import { actionBody } from '../../../src/features/orchestrator/action-bodies.js';
import { invalidAt, problem } from '../../support/failing.js';

const FORM = 'application/x-www-form-urlencoded';

describe('actionBody', () => {
  it('is JSON for every media type but a form, and absent for {}', () => {
    for (const type of [undefined, 'application/json', 'application/yang-data+json', 'text/plain'])
      assert.equal(actionBody({ a: [1] }, type)?.toString(), '{"a":[1]}');
    for (const type of [undefined, FORM]) assert.equal(actionBody({}, type), undefined);
  });

  it('is the text of a body with so many values that none were made; such a form is refused', () => {
    assert.equal(actionBody({}, undefined, '{"a":1}')?.toString(), '{"a":1}');
    assert.equal(actionBody({}, undefined, '{ \n}'), undefined);
    assert.throws(() => actionBody({}, FORM, '{"a":1}'), problem('invalid_request', /too many values/));
  });

  it('is a form under the media type of a form', () => {
    const body = { name: 'a b&c', vlan: 7, on: true, tag: ['x', 'ü'], none: [] };
    for (const type of [FORM, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'])
      assert.equal(actionBody(body, type)?.toString(), 'name=a+b%26c&vlan=7&on=true&tag=x&tag=%C3%BC');
  });

  it('refuses each member that a form cannot carry', () => {
    assert.throws(
      () => actionBody({ ok: 1, 'a/b': { c: 1 }, none: null, list: [1, [2]] }, FORM),
      (error) => {
        problem('invalid_request', /^\/body\/a~1b must be a text/)(error);
        return invalidAt('/body/a~1b', '/body/none', '/body/list')(error);
      },
    );
  });
});
