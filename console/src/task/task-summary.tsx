import { type ReactNode, useMemo } from 'react';
import {
  changesAgainst,
  type FormState,
  hasAtMostFields,
  isSecretEditor,
  type Json,
  labelOf,
  openAll,
  rowAt,
  rowsOf,
  titlesTo,
  withFilter,
} from '../form/model/index.js';
import { shownText, valueText } from '../form/view/shown-text.js';
import { text } from './task-text.js';

/** Maximum number of fields of a form that a summary describes. */
const MAX_FIELDS = 60;
/** Maximum number of sentences; the form has the rest. */
const MAX_SENTENCES = 12;

interface TaskSummaryProps {
  readonly form: FormState;
  /** What was proposed. */
  readonly base: Json | undefined;
}

/** Describes a short form in sentences, for a decision on a phone: first what was changed, then the other values. */
export function TaskSummary({ form, base }: TaskSummaryProps): ReactNode {
  const sentences = useMemo(() => sentencesOf(form, base), [form.data, base]);
  if (sentences.length === 0) return null;
  return (
    <section className="gh-task-summary gh-no-print" aria-label={text('summary')}>
      <h2>{text('summary')}</h2>
      <ul>
        {sentences.slice(0, MAX_SENTENCES).map((sentence) => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
      </ul>
      {sentences.length > MAX_SENTENCES && (
        <p className="gh-task-quiet">{text('summary.more', { count: sentences.length - MAX_SENTENCES })}</p>
      )}
    </section>
  );
}

function sentencesOf(form: FormState, base: Json | undefined): readonly string[] {
  if (!hasAtMostFields(form, MAX_FIELDS)) return [];
  const changed = new Set<string>();
  const changes = changesAgainst(form, base).flatMap(({ pointer, path, before, after }) => {
    if ([before, after].some((value) => typeof value === 'object' && value !== null)) return [];
    changed.add(pointer);
    const row = rowAt(form, pointer);
    if (row && isSecretEditor(row.editor)) return [];
    const [old, next] = [before, after].map((value) =>
      value === undefined ? text('summary.unset') : row ? valueText(row.editor, value) : labelOf(value),
    );
    return [text('summary.changed', { field: path.join(' / '), before: old ?? '', after: next ?? '' })];
  });
  const values = rowsOf(withFilter(openAll(form), 'is:filled')).rows.flatMap((row) =>
    row.filled && row.kind === 'leaf' && !changed.has(row.pointer)
      ? [text('filledValue', { field: titlesTo(form, row.pointer).join(' / '), value: shownText(row) })]
      : [],
  );
  return [...changes, ...values];
}
