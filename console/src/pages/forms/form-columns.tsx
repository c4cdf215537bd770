import { fieldCount } from '../../design/outline.js';
import { lastEditorOf, type StoredForm } from '../../design/draft.js';
import { CallerName } from '../../kit/caller-name.js';
import { Link } from '../../kit/link.js';
import { RowCheck } from '../../kit/fields.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { LintState } from './lint-state.js';

const fieldCounts = new WeakMap<StoredForm, number>();

/** Returns the number of fields of a form; cached. */
function fieldsOf(form: StoredForm): number {
  const known = fieldCounts.get(form);
  if (known !== undefined) return known;
  const count = fieldCount(form.schema);
  fieldCounts.set(form, count);
  return count;
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
      title: 'Select',
      cell: ({ id, name }) => (
        <RowCheck
          label={`Select ${name}`}
          isChecked={picked.has(id)}
          onChange={(isPicked) => pick(id, isPicked)}
        />
      ),
    },
    {
      key: 'name',
      title: 'Name',
      sortBy: ({ name }) => name,
      text: ({ name, id }) => `${name} ${id}`,
      cell: ({ id, name }) => <Link to={`/forms/${encodeURIComponent(id)}`}>{name}</Link>,
    },
    {
      key: 'description',
      title: 'Description',
      text: ({ description }) => description ?? '',
      cell: ({ description }) => description ?? '',
    },
    {
      key: 'fields',
      title: 'Fields',
      sortBy: fieldsOf,
      cell: (form) => <Link to={`/forms/${encodeURIComponent(form.id)}`}>{fieldsOf(form)}</Link>,
    },
    {
      key: 'check',
      title: 'Check',
      cell: (form) => <LintState form={form} />,
    },
    {
      key: 'changed',
      title: 'Last change',
      sortBy: ({ lastUpdated, created }) => Date.parse(lastUpdated ?? created) || undefined,
      text: lastEditorOf,
      cell: ({ lastUpdated, created, lastUpdatedBy = '', lastUpdatedByName, lastUpdatedByIssuer }) => (
        <>
          <Ago at={lastUpdated ?? created} />
          {lastUpdatedBy !== '' && (
            <span className="gh-quiet">
              {' '}
              by <CallerName name={lastUpdatedByName} subject={lastUpdatedBy} issuer={lastUpdatedByIssuer} />
            </span>
          )}
        </>
      ),
    },
  ];
}
