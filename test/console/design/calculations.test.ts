import assert from 'node:assert/strict';
import {
  type CalculationChoice,
  calculationChoices,
  calculationOf,
  chooseCalculation,
  expressionAt,
  expressionOf,
  fieldOperands,
  setExpression,
} from '../../../console/src/design/calculations.js';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';

const number = { type: 'number', title: 'N' };
const FORM = draftOf({
  schema: {
    type: 'object',
    properties: {
      customer: { type: 'string', title: 'Customer' },
      price: { type: 'number', title: 'Price' },
      'a.b': number,
      total: number,
      lines: {
        type: 'array',
        title: 'Lines',
        items: { type: 'object', properties: { cost: { ...number, title: 'Cost' }, sum: number } },
      },
    },
  },
});
const SUM = '/properties/lines/items/properties/sum';
const names = (pointer: string, kind: Parameters<typeof fieldOperands>[2]) =>
  fieldOperands(FORM, pointer, kind).map(({ name }) => name);

describe('the calculation of a field', () => {
  it('offers the fields that an expression at the field can read, by name', () => {
    assert.deepEqual(names('/properties/total', 'sum'), ['price', '/a.b']);
    assert.deepEqual(names('/properties/total', 'text'), ['customer', 'price', '/a.b']);
    assert.deepEqual(names('/properties/total', 'count'), ['lines']);
    assert.deepEqual(names('/properties/total', 'total'), ['lines[].cost', 'lines[].sum']);
    assert.deepEqual(names(SUM, 'sum'), ['/price', '/a.b', '/total', 'cost']);
  });

  it('reads the expressions that it writes, and leaves every other one', () => {
    const simple = [
      { '+': [{ var: 'price' }, 2] },
      { '/': [{ var: 'price' }, { var: '/a.b' }] },
      { cat: [{ var: 'customer' }, ' ', { var: 'price' }] },
      { count: [{ var: 'lines' }] },
      { '+': [{ map: [{ var: 'lines' }, { var: 'cost' }] }] },
    ];
    assert.deepEqual(
      simple.map((expression) => calculationOf(expression)?.kind),
      ['sum', 'quotient', 'text', 'count', 'total'],
    );
    for (const expression of simple) {
      const read = calculationOf(expression);
      assert.deepEqual(read && expressionOf(read), expression);
    }
    for (const other of [{ '/': [1] }, { '+': [{ var: ['a', 0] }] }, { if: [1, 2] }, 5, { '-': [], '+': [] }])
      assert.equal(calculationOf(other), undefined, JSON.stringify(other));
  });

  it('starts with fields of the form, and keeps operands that are numbers', () => {
    const total = '/properties/total';
    const chosen = (draft: FormDraft, kind: CalculationChoice) => chooseCalculation(draft, total, kind);
    const sum = chosen(FORM, 'sum');
    assert.deepEqual(expressionAt(sum, total), { '+': [{ var: 'price' }, { var: '/a.b' }] });
    const long = setExpression(FORM, total, { '-': [{ var: 'price' }, 5, 7] });
    assert.deepEqual(expressionAt(chosen(long, 'product'), total), { '*': [{ var: 'price' }, 5, 7] });
    assert.deepEqual(expressionAt(chosen(long, 'quotient'), total), { '/': [{ var: 'price' }, 5] });
    const member = { map: [{ var: 'lines' }, { var: 'cost' }] };
    assert.deepEqual(expressionAt(chosen(long, 'total'), total), { '+': [member] });
    assert.equal(chosen(long, 'json'), long);
    assert.deepEqual(expressionAt(chosen(FORM, 'json'), total), { var: 'customer' });
    assert.equal(expressionAt(chosen(long, 'none'), total), undefined);
  });

  it('is offered by the type of the field', () => {
    assert.deepEqual(calculationChoices(FORM, '/properties/customer'), ['none', 'text', 'json']);
    const arithmetic = ['sum', 'difference', 'product', 'quotient'];
    assert.deepEqual(calculationChoices(FORM, SUM), ['none', ...arithmetic, 'count', 'total', 'json']);
    assert.deepEqual(calculationChoices(FORM, '/properties/lines'), []);
  });

  it('is set and removed, also where ui:options has it', () => {
    const set = setExpression(FORM, '/properties/total', { '+': [1, 2] });
    assert.deepEqual(set.uiSchema, { total: { 'ui:calculate': { '+': [1, 2] } } });
    assert.deepEqual(setExpression(set, '/properties/total', undefined).uiSchema, {});
    const written = draftOf({ ...FORM, uiSchema: { total: { 'ui:options': { calculate: 1 } } } });
    assert.equal(expressionAt(written, '/properties/total'), 1);
    assert.equal(expressionAt(setExpression(written, '/properties/total', 2), '/properties/total'), 2);
    assert.deepEqual(setExpression(written, '/properties/total', undefined).uiSchema, {});
  });
});
