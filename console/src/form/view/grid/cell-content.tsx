import type { ReactNode } from 'react';
import { isList, type JsonList, labelOf, type Row } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { optionsOf } from '../editors/use-chosen.js';
import { Icon } from '../icon.js';
import { mayEdit } from '../row-actions.js';
import { brief } from '../shown-text.js';
import { isMissing, editModeOf } from '../edit-mode.js';

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
            {brief(controller.labels.onlyWhen(condition.message ?? condition.xpath))}
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
  const { labels } = useFormController();
  const { kind, list, value, alternatives } = row;
  if (alternatives) {
    const name = alternatives.chosen === undefined ? undefined : alternatives.names[alternatives.chosen];
    return name ?? <span className="gf-quiet">{labels.notSet}</span>;
  }
  if (list) {
    const count = kind === 'list' ? labels.entries(list.length) : labels.values(list.length);
    return (
      <span className="gf-quiet">
        {kind === 'leaf-list' && isList(value) ? brief(`${count}: ${firstValues(value)}`) : count}
      </span>
    );
  }
  if (kind === 'container' || kind === 'entry' || kind === 'presence')
    return <span className="gf-quiet">{row.filledBelow > 0 ? labels.filledBelow(row.filledBelow) : ''}</span>;
  return <LeafText row={row} />;
}

function LeafText({ row }: { readonly row: Row }): ReactNode {
  const { labels } = useFormController();
  const { editor, filled, text, defaultValue, units } = row;
  if (!filled)
    return (
      <span className="gf-quiet">
        {defaultValue === undefined ? '' : brief(labels.defaultOf(labelOf(defaultValue)))}
      </span>
    );
  if (editor.kind === 'text' && editor.secret)
    return <span className="gf-quiet">•••••••• {labels.hidden}</span>;
  if (editor.kind === 'file') return labels.bytes(text.length);
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
  const { labels } = useFormController();
  const [error] = row.errors;
  if (error)
    return (
      <span id={id} className="gf-state gf-error" title={error.message}>
        <Icon name="error" />
        <span className="gf-clip">{error.message}</span>
      </span>
    );
  return (
    <span id={id} className={`gf-state ${toneOf(row)}`}>
      {row.errorsBelow > 0 && (
        <>
          <Icon name="error" />
          {labels.errors(row.errorsBelow)}
        </>
      )}
      {row.errorsBelow === 0 && isMissing(row) && (
        <>
          <Icon name="missing" />
          {labels.missing}
        </>
      )}
      {row.changed && (
        <>
          <Icon name="edited" />
          {labels.edited}
        </>
      )}
      {!row.changed && <span className="gf-heard">{row.filled ? labels.loaded : labels.notSet}</span>}
    </span>
  );
}

function toneOf(row: Row): string {
  if (row.errorsBelow > 0) return 'gf-error';
  if (isMissing(row)) return 'gf-warning';
  return row.changed ? 'gf-edited' : '';
}
