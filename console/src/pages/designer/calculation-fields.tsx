import { type ReactNode, useMemo, useState } from 'react';
import { pointerTokens, valueAt } from '../../../../src/json/pointer.js';
import {
  type CalculationChoice,
  calculationChoices,
  calculationOf,
  chooseCalculation,
  expressionAt,
  expressionOf,
  fieldOperands,
  operationOf,
  setExpression,
  type SimpleCalculation,
} from '../../design/calculations.js';
import { text } from '../../design/designer-text.js';
import { expressionFaults } from '../../design/expressions.js';
import { placeOf } from '../../design/field-location.js';
import { valuePathOf } from '../../design/placeholders.js';
import type { PropertySpec } from '../../design/property-specs.js';
import { plainValue, pointersOf } from '../../form/model/index.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { openPreview } from './form-preview.js';
import { InsertField } from './insert-field.js';
import { PropertyField } from './property-field.js';
import { parsedOr, useJsonText } from './source-pane.js';
import type { Design } from './use-design.js';

/** Renders how the selected field gets its value, and a calculated value for the data of the preview. */
export function CalculationFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const [isJson, setJson] = useState(false);
  const choices = calculationChoices(draft, selected);
  const path = placeOf(selected) && valuePathOf(selected);
  if (path === undefined || choices.length === 0) return null;
  const expression = expressionAt(draft, selected);
  const simple = isJson ? undefined : calculationOf(expression);
  const kind = expression === undefined ? 'none' : (simple?.kind ?? 'json');
  const choose = (next: string) => {
    setJson(next === 'json');
    change(chooseCalculation(draft, selected, next as CalculationChoice));
  };
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('calculation')}>
      <h3>{text('calculation')}</h3>
      <SelectField
        label={text('calculatedAs')}
        value={kind}
        options={choices.map((value) => ({ value, label: text(`calculated.${value}`) }))}
        onChange={choose}
      />
      {simple && (
        <OperandFields
          design={design}
          calculation={simple}
          onChange={(operands, about) =>
            change(setExpression(draft, selected, expressionOf({ ...simple, operands })), about)
          }
        />
      )}
      {kind === 'json' && <ExpressionField design={design} expression={expression} path={path} />}
      {kind !== 'none' && <TestValue design={design} path={path} />}
    </div>
  );
}

interface OperandsProps {
  readonly design: Design;
  readonly calculation: SimpleCalculation;
  /** Changes with the same `about` are undone together. */
  readonly onChange: (operands: readonly unknown[], about?: string) => void;
}

/** Value of the selection for a number or a text. */
const CONSTANT = 'constant';

const NUMBER: PropertySpec = {
  keyword: 'var',
  label: 'conditionValue',
  kind: 'number',
  part: 'uiSchema',
  isRequired: true,
};

function OperandFields({ design: { draft, selected }, calculation, onChange }: OperandsProps): ReactNode {
  const { kind, operands } = calculation;
  const { constant, count } = operationOf(kind);
  const isNumber = typeof constant === 'number';
  const options = fieldOperands(draft, selected, kind).map(({ operand, title, name }) => ({
    value: JSON.stringify(operand),
    label: text('namedField', { title, placeholder: name }),
  }));
  if (constant !== undefined)
    options.push({ value: CONSTANT, label: text(isNumber ? 'operandNumber' : 'operandText') });
  return (
    <>
      {operands.map((operand, at) => {
        const number = at + 1;
        const value = typeof operand === 'object' ? JSON.stringify(operand) : CONSTANT;
        const isKnown = options.some((option) => option.value === value);
        const write = (next: unknown) => onChange(operands.with(at, next), `${selected} operand ${number}`);
        return (
          <div
            key={at}
            className="gh-condition gh-operand"
            role="group"
            aria-label={text('operand', { number })}
          >
            <SelectField
              label={text(constant === undefined ? 'operandList' : 'operand', { number })}
              value={value}
              options={isKnown ? options : [{ value, label: value }, ...options]}
              onChange={(next) =>
                onChange(operands.with(at, next === CONSTANT ? constant : parsedOr(next, operand)))
              }
            />
            {value === CONSTANT && isNumber && (
              <PropertyField spec={NUMBER} type="number" value={operand} onChange={write} />
            )}
            {value === CONSTANT && !isNumber && (
              <TextField label={text('conditionValue')} value={String(operand)} onChange={write} />
            )}
            {count === undefined && operands.length > 1 && (
              <Button
                kind="plain"
                isSmall
                label={text('removeOperand', { number })}
                onPress={() => onChange(operands.toSpliced(at, 1))}
              >
                ✕
              </Button>
            )}
          </div>
        );
      })}
      {count === undefined && (
        <div>
          <Button isSmall onPress={() => onChange([...operands, constant])}>
            {text('addOperand')}
          </Button>
        </div>
      )}
    </>
  );
}

interface ExpressionProps {
  readonly design: Design;
  readonly expression: unknown;
  /** Path of the field. */
  readonly path: string;
}

/** Renders an expression as JSON, with its fault, and a selection that inserts a field. */
function ExpressionField({ design, expression, path }: ExpressionProps): ReactNode {
  const { draft, selected, change } = design;
  const { json, write } = useJsonText({
    value: expression,
    accepts: () => true,
    onChange: (next) => change(setExpression(draft, selected, next), `${selected} expression`),
  });
  const isInvalid = parsedOr(json, undefined) === undefined;
  const [fault] = isInvalid ? [text('enterJson')] : expressionFaults(draft, { path, expression });
  const fields = fieldOperands(draft, selected, 'text').map(({ title, name, operand }) => ({
    title,
    placeholder: name,
    inserted: JSON.stringify(operand),
  }));
  return (
    <InsertField
      label={text('insertField')}
      hint={text('insertFieldHint')}
      fields={fields}
      value={json}
      onChange={write}
    >
      <TextAreaField
        label={text('expression')}
        isCode
        rows={8}
        value={json}
        onChange={write}
        help={text('expressionHelp')}
        {...(fault !== undefined && { error: fault })}
      />
    </InsertField>
  );
}

/** Maximum number of values that are shown of a field in the entries of a list. */
const MAX_VALUES = 3;

/** Renders the calculated value for the data of the preview. */
function TestValue({ design, path }: Pick<ExpressionProps, 'design' | 'path'>): ReactNode {
  const { draft, preview } = design;
  const values = useMemo(() => {
    const data = openPreview({ ...draft, language: '' }, preview)?.data;
    return pointersOf(data, pointerTokens(path))
      .map((pointer) => valueAt(plainValue(data ?? null), pointer))
      .filter((value) => value !== undefined)
      .slice(0, MAX_VALUES)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  }, [draft, preview, path]);
  return (
    <p className="gh-quiet" role="status">
      {values.length === 0
        ? text('noCalculatedValue')
        : text('calculatedValue', { value: values.join(', ') })}
    </p>
  );
}
