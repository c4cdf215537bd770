import assert from 'node:assert/strict';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import { expressionFaults } from '../../../console/src/design/expressions.js';
import { copyOfField, duplicateField, pasteField } from '../../../console/src/design/field-copy.js';
import { removeField, renameField } from '../../../console/src/design/field-edits.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { moveField, placeField } from '../../../console/src/design/move-field.js';

const number = { type: 'number', title: 'N' };
const object = (properties: object) => ({ type: 'object', title: 'O', properties });
const v = (name: string) => ({ var: name });

/** A form whose field `total` has this expression. */
function formWith(expression: unknown, ui: object = {}): FormDraft {
  return draftOf({
    schema: object({
      price: number,
      total: number,
      lines: { type: 'array', title: 'L', items: object({ count: number, cost: number, sum: number }) },
      site: object({ fee: number, both: number }),
    }),
    uiSchema: { ...ui, total: { 'ui:calculate': expression } },
  });
}

const totalOf = (draft: FormDraft): unknown =>
  (draft.uiSchema['total'] as Record<string, unknown> | undefined)?.['ui:calculate'];

function moved(draft: FormDraft, pointer: string, container: string): FormDraft {
  const move = placeField(draft, pointer, { container });
  assert.ok('edited' in move);
  return move.edited.draft;
}

const COST = '/properties/lines/items/properties/cost';

describe('the expressions of a form', () => {
  it('follow a renamed field, by name, by pointer, with a default, and for an entry of a list', () => {
    const expression = {
      '+': [
        v('price'),
        v('/price'),
        { var: ['price', v('price')] },
        v('priceless'),
        { var: '/lines/0/cost' },
      ],
    };
    assert.deepEqual(totalOf(renameField(formWith(expression), '/properties/price', 'rate').draft), {
      '+': [v('rate'), v('/rate'), { var: ['rate', v('rate')] }, v('priceless'), { var: '/lines/0/cost' }],
    });
    const { draft } = renameField(formWith(expression), COST, 'rate');
    assert.deepEqual((totalOf(draft) as { '+': unknown[] })['+'][4], { var: '/lines/0/rate' });
  });

  it('follow a renamed member of a list in map, filter and reduce, and keep other scopes', () => {
    const lines = { filter: [v('lines'), { '>': [v('cost'), 1] }] };
    const add = { '+': [v('accumulator'), v('current.cost'), v('cost')] };
    const expression = { '+': [{ map: [lines, v('cost')] }, { reduce: [v('/lines'), add, v('cost')] }] };
    assert.deepEqual(totalOf(renameField(formWith(expression), COST, 'rate').draft), {
      '+': [
        { map: [{ filter: [v('lines'), { '>': [v('rate'), 1] }] }, v('rate')] },
        { reduce: [v('/lines'), { '+': [v('accumulator'), v('current.rate'), v('cost')] }, v('cost')] },
      ],
    });
    const renamed = renameField(formWith(expression), '/properties/lines', 'rows').draft;
    assert.match(JSON.stringify(totalOf(renamed)), /"rows".*"cost".*"\/rows".*"current.cost"/);
  });

  it('follow a field that moves into a group and out of it', () => {
    const into = moved(
      formWith({ '*': [v('price'), v('site.fee')] }),
      '/properties/price',
      '/properties/site',
    );
    assert.deepEqual(totalOf(into), { '*': [v('site.price'), v('site.fee')] });
    const out = moveField(into, '/properties/site/properties/fee', 'out');
    assert.ok('edited' in out);
    assert.deepEqual(totalOf(out.edited.draft), { '*': [v('site.price'), v('fee')] });
  });

  it('read the same fields when the calculated field moves', () => {
    const draft = moved(
      formWith({ '*': [v('price'), v('site.fee')] }),
      '/properties/total',
      '/properties/site',
    );
    assert.deepEqual(draft.uiSchema['site'], {
      total: { 'ui:calculate': { '*': [v('/price'), v('fee')] } },
    });
    const nested = formWith(1, { site: { both: { 'ui:calculate': { '+': [v('fee'), v('/price')] } } } });
    assert.deepEqual(moved(nested, '/properties/site', '/properties/lines/items').uiSchema['lines'], {
      items: { site: { both: { 'ui:calculate': { '+': [v('fee'), v('/price')] } } } },
    });
  });

  it('stay in a copy that has the fields beside it, and follow them otherwise', () => {
    const draft = formWith(v('price'), {
      site: { both: { 'ui:calculate': { '+': [v('fee'), v('/site/fee')] } } },
    });
    const site = duplicateField(draft, '/properties/site')?.draft.uiSchema['site2'];
    assert.deepEqual(site, { both: { 'ui:calculate': { '+': [v('fee'), v('/site2/fee')] } } });
    const copied = copyOfField(draft, '/properties/total') ?? '';
    const pasted = pasteField(draft, '/properties/site', copied)?.draft.uiSchema['site'];
    assert.deepEqual((pasted as Record<string, unknown>)['total'], { 'ui:calculate': v('/price') });
    assert.deepEqual(totalOf(draft), v('price'));
  });

  it('are reported by the check with a field that is removed, and keep the name', () => {
    const { draft } = removeField(formWith({ '+': [v('price'), v('site.fee')] }), '/properties/price');
    assert.deepEqual(totalOf(draft), { '+': [v('price'), v('site.fee')] });
    const [finding] = lintForm(draft);
    assert.equal(finding?.message, 'The expression reads "price", but there is no such field.');
    assert.deepEqual(
      [finding.kind, finding.part, finding.pointer, finding.field],
      ['error', 'uiSchema', '/total/ui:calculate', '/properties/total'],
    );
  });

  const faults: readonly (readonly [expression: unknown, fault: RegExp | undefined])[] = [
    [{ plus: [1, 2] }, /operation "plus"/],
    [{ '+': [1], '-': [2] }, /not: \+, -/],
    [{ map: [v('lines'), v('price')] }, /reads "lines\[\]\.price"/],
    [{ var: 'price.amount' }, /reads "price.amount"/],
    [{ '+': { map: [v('lines'), v('cost')] } }, undefined],
    [{ reduce: [v('lines'), { '+': [v('accumulator'), v('current.cost')] }, 0] }, undefined],
    [{ '+': [v('lines.0.cost'), v('/lines/1/cost'), v('site.fee'), 1, 'a'] }, undefined],
  ];
  for (const [expression, fault] of faults)
    it(`name the fault of ${JSON.stringify(expression)}: ${fault?.source ?? 'none'}`, () => {
      const found = expressionFaults(formWith(expression), { path: '/total', expression });
      if (fault) assert.match(found.join('\n'), fault);
      else assert.deepEqual(found, []);
    });

  it('may read members that the schema does not name', () => {
    const draft = draftOf({
      schema: {
        ...object({ free: { type: 'object' }, ref: { $ref: '#/$defs/a' }, total: number }),
        allOf: [{ if: { required: ['free'] }, then: { properties: { late: number } } }],
      },
    });
    const expression = { '+': [v('free.x'), v('ref.y'), v('late')] };
    assert.deepEqual(expressionFaults(draft, { path: '/total', expression }), []);
    assert.equal(expressionFaults(draft, { path: '/total', expression: v('none') }).length, 1);
  });
});
