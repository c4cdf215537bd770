import type { ReactNode } from 'react';
import { lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

/** Renders the line below the name of a form: where it belongs, its description, and when it was saved. */
export function FormLead({ design }: { readonly design: Design }): ReactNode {
  const { form, draft, isChanged, canEdit } = design;
  return (
    <>
      <Link to="/forms">{text('forms')}</Link> ·{' '}
      {draft.description !== '' && (
        <>
          <span dir="auto">{draft.description}</span> ·{' '}
        </>
      )}
      {/* Both have the same place, so that the first edit moves nothing on the page. */}
      <span className="gh-either">
        <span className="gh-quiet" hidden={isChanged}>
          {savedWords(form)}
        </span>
        <span hidden={!isChanged}>
          <StatusLabel status="busy">{text('unsaved')}</StatusLabel>
        </span>
      </span>{' '}
      {!canEdit && <StatusLabel status="off">{text('readOnlyForm')}</StatusLabel>}
    </>
  );
}

/** Renders when a form was saved, and by whom. */
export function savedWords(form: StoredForm): ReactNode {
  const name = lastEditorOf(form);
  const time = () => <Ago at={form.lastUpdated ?? form.created} />;
  return name === '' ? rich(text, 'saved', { time }) : rich(text, 'savedBy', { time, name });
}
