import { draftOf, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { fieldCount, outlineOf } from '../../design/outline.js';
import { CallerName } from '../../kit/caller-name.js';
import { RowCheck } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { LintState } from './lint-state.js';

const text = textOf('forms');

const fieldCounts = new WeakMap<StoredForm, number>();

/** Returns the number of fields of a form; cached. */
function fieldsOf(form: StoredForm): number {
  const known = fieldCounts.get(form);
  if (known !== undefined) return known;
  const count = fieldCount(form.schema);
  fieldCounts.set(form, count);
  return count;
}

/** Number of fields that the outline of a form names. */
const OUTLINED_FIELDS = 4;

/** Returns the titles of the first fields of a form. */
function outlineText(form: StoredForm): string {
  const titles = outlineOf(draftOf(form)).children.map(({ title }) => title);
  if (titles.length === 0) return '';
  const more = Math.max(titles.length - OUTLINED_FIELDS, 0);
  return text('outline', { names: titles.slice(0, OUTLINED_FIELDS).join(', '), more });
}

/** Returns the columns of the form list; the first one selects rows. */
export function formColumns(
  picked: ReadonlySet<string>,
  onPick: (picked: ReadonlySet<string>) => void,
): readonly Column<StoredForm>[] {
  const pick = (id: string, isPicked: boolean) => {
    const next = new Set(picked);
    if (isPicked) next.add(id);
    else next.delete(id);
    onPick(next);
  };
  return [
    {
      key: 'pick',
      card: 'pick',
      title: text('pick'),
      cell: ({ id, name }) => (
        <RowCheck
          label={text('pickForm', { name })}
          isChecked={picked.has(id)}
          onChange={(isPicked) => pick(id, isPicked)}
        />
      ),
    },
    {
      key: 'name',
      card: 'title',
      title: text('name'),
      sortBy: ({ name }) => name,
      text: ({ name, id }) => `${name} ${id}`,
      cell: ({ id, name }) => <Link to={`/forms/${encodeURIComponent(id)}`}>{name}</Link>,
    },
    {
      key: 'description',
      card: 'line',
      title: text('description'),
      text: ({ description }) => description ?? '',
      cell: ({ description = '' }) =>
        description !== '' && <span className="gh-form-description">{description}</span>,
    },
    {
      key: 'fields',
      title: text('fields'),
      sortBy: fieldsOf,
      cell: (form) => (
        <>
          <span className="gh-number">{fieldsOf(form)}</span>{' '}
          <span className="gh-quiet gh-form-outline">{outlineText(form)}</span>
        </>
      ),
    },
    {
      key: 'check',
      card: 'end',
      title: text('check'),
      cell: (form) => <LintState form={form} />,
    },
    {
      key: 'changed',
      card: 'bare',
      title: text('changed'),
      sortBy: ({ lastUpdated, created }) => Date.parse(lastUpdated ?? created) || undefined,
      text: lastEditorOf,
      cell: ({ lastUpdated, created, lastUpdatedBy = '', lastUpdatedByName, lastUpdatedByIssuer }) => (
        <>
          <Time at={lastUpdated ?? created} />
          {lastUpdatedBy !== '' && (
            <span className="gh-quiet">
              {' '}
              {rich(text, 'changedBy', {
                name: () => (
                  <CallerName name={lastUpdatedByName} subject={lastUpdatedBy} issuer={lastUpdatedByIssuer} />
                ),
              })}
            </span>
          )}
        </>
      ),
    },
  ];
}
