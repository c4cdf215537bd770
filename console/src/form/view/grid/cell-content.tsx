import type { ReactNode } from 'react';
import { isList, isSecretEditor, type JsonList, labelOf, type Row } from '../../model/index.js';
import { useChangeNote } from '../change-notes.js';
import { Icon } from '../controls.js';
import { optionsOf } from '../editors/option-editors.js';
import { errorText } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { editModeOf, isMissing, mayEdit } from '../row-actions.js';
import { brief, fileFactsText } from '../shown-text.js';

/** The value of a row that is not being edited. */
export function ValueView({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const condition = row.disabled ? row.when.find(({ holds }) => holds === false) : undefined;
  const mode = editModeOf(row);
  const isMenu = (mode === 'choose' || 'options' in row.editor) && mayEdit(row, controller);
  return (
    <span className="gf-text">
      <span className="gf-clip">
        {condition ? (
          <span className="gf-quiet">
            {brief(formText('onlyWhen', { condition: condition.message ?? condition.xpath }))}
          </span>
        ) : (
          <ValueText row={row} />
        )}
      </span>
      {isMenu && <Icon name="menu" />}
    </span>
  );
}

function ValueText({ row }: { readonly row: Row }): ReactNode {
  const { kind, list, value, alternatives } = row;
  if (alternatives) {
    const name = alternatives.chosen === undefined ? undefined : alternatives.names[alternatives.chosen];
    return name ?? <span className="gf-quiet">{formText('notSet')}</span>;
  }
  if (list) {
    const count =
      kind === 'list'
        ? formText('entries', { count: list.length })
        : formText('values', { count: list.length });
    return (
      <span className="gf-quiet">
        {kind === 'leaf-list' && isList(value) ? brief(`${count}: ${firstValues(value)}`) : count}
      </span>
    );
  }
  if (kind === 'container' || kind === 'entry' || kind === 'presence')
    return (
      <span className="gf-quiet">
        {row.filledBelow > 0 ? formText('filledBelow', { count: row.filledBelow }) : ''}
      </span>
    );
  return <LeafText row={row} />;
}

function LeafText({ row }: { readonly row: Row }): ReactNode {
  const { editor, filled, text, defaultValue, units } = row;
  if (!filled)
    return (
      <span className="gf-quiet">
        {defaultValue === undefined ? '' : brief(formText('defaultOf', { value: labelOf(defaultValue) }))}
      </span>
    );
  if (isSecretEditor(editor)) return <span className="gf-quiet">•••••••• {formText('hidden')}</span>;
  if (editor.kind === 'file' || editor.kind === 'signature') return fileFactsText(editor, text);
  if (row.value === null) return formText('nullValue');
  const shown = optionsOf(row).find(({ value }) => labelOf(value) === text)?.label ?? text;
  return (
    <>
      <span className={editor.kind === 'json' ? 'gf-code' : ''}>{brief(shown)}</span>
      {units !== undefined && <span className="gf-quiet"> {units}</span>}
    </>
  );
}

/** Returns the first eight values as text. */
function firstValues(values: JsonList): string {
  const texts = values.slice(0, 8).map(labelOf).join(', ');
  return values.length > 8 ? `${texts} …` : texts;
}

/** The most important state of a row as icon and word: error, missing, edited, loaded or not set. */
export function StateView({ row, id }: { readonly row: Row; readonly id: string }): ReactNode {
  const controller = useFormController();
  const note = useChangeNote(row);
  const [error] = row.errors;
  if (error)
    return (
      <span id={id} className="gf-state gf-error" title={errorText(controller.now(), error)}>
        <Icon name="error" />
        <span className="gf-clip">{errorText(controller.now(), error)}</span>
      </span>
    );
  return (
    <span id={id} className={`gf-state ${toneOf(row)}`}>
      {row.open && row.leftOut.length > 0 && formText('partLoading')}
      {row.errorsBelow > 0 && (
        <>
          <Icon name="error" />
          {formText('errors', { count: row.errorsBelow })}
        </>
      )}
      {row.errorsBelow === 0 && isMissing(row) && (
        <>
          <Icon name="missing" />
          {formText('missing')}
        </>
      )}
      {row.changed && (
        <>
          <Icon name="edited" />
          <span className="gf-clip" title={note} dir="auto">
            {note ?? formText('edited')}
          </span>
        </>
      )}
      {!row.changed && (
        <span className="gf-heard">{row.filled ? formText('loaded') : formText('notSet')}</span>
      )}
    </span>
  );
}

function toneOf(row: Row): string {
  if (row.errorsBelow > 0) return 'gf-error';
  if (isMissing(row)) return 'gf-warning';
  return row.changed ? 'gf-edited' : '';
}
