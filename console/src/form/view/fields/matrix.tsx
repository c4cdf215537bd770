import type { ReactNode } from 'react';
import { labelOf, type Row } from '../../model/index.js';
import { optionsOf } from '../editors/option-editors.js';
import { useFormController } from '../form-controller.js';
import { mayEdit } from '../row-actions.js';
import { optionLabel } from '../shown-text.js';
import { FieldErrors, titleOf } from './field-parts.js';

/** Questions with the same options as lines of a table (`ui:widget: matrix`). */
export function Matrix({
  questions,
  id,
}: {
  readonly questions: readonly Row[];
  readonly id: string;
}): ReactNode {
  const controller = useFormController();
  const options = questions[0] ? optionsOf(questions[0]) : [];
  return (
    <table className="gf-matrix">
      <thead>
        <tr>
          <td />
          {options.map((option) => (
            <th key={labelOf(option.value)} scope="col" dir="auto">
              {optionLabel(option)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {questions.map((row) => (
          <tr key={row.id}>
            <th scope="row" dir="auto">
              {titleOf(row)}
              {row.required && <span aria-hidden="true"> *</span>}
              <FieldErrors row={row} id={`${id}-${row.id}`} />
            </th>
            {options.map((option) => (
              <td key={labelOf(option.value)}>
                <label className="gf-matrix-cell">
                  <input
                    type="radio"
                    name={`${id}-${row.id}`}
                    aria-label={`${titleOf(row)}: ${optionLabel(option)}`}
                    checked={row.filled && row.text === labelOf(option.value)}
                    disabled={!mayEdit(row, controller)}
                    onChange={() =>
                      controller.edit({ kind: 'set', pointer: row.pointer, value: option.value })
                    }
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns true for questions that fit into one table: the same few options each. */
export function areMatrix(questions: readonly Row[]): boolean {
  const labels = questions.map((row) =>
    row.editor.kind === 'select'
      ? optionsOf(row)
          .map(({ value }) => labelOf(value))
          .join('\n')
      : '',
  );
  return labels.length > 0 && labels[0] !== '' && labels.every((one) => one === labels[0]);
}
