import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useRead, useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { Failure } from '../../kit/feedback.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import type { YangSchema } from './yang-request.js';

const text = textOf('yang');

/** Renders a button that gives the form in the URL (`?form=`) the converted schema; nothing without a form. */
export function ReplaceForm({ result }: { readonly result: YangSchema }): ReactNode {
  const [{ form: id }] = useUrlState({ form: '' });
  const [, navigate] = useLocation();
  const isWanted = useSession().may('updateForm') && id !== '';
  const path = pathOf(['json-forms', 'forms', id]);
  const form = useRead<StoredForm | null>(pathOf(['json-forms', 'forms', id], { schema: 'partial' }), {
    enabled: isWanted,
  });
  const write = useWrite(['/json-forms/forms']);
  if (!isWanted || !form.data) return null;
  const { schema, uiSchema } = result;
  const replace = () =>
    write.mutate(
      { method: 'PUT', path, body: { options: { schema, uiSchema } } },
      { onSuccess: () => navigate(`/forms/${encodeURIComponent(id)}`) },
    );
  return (
    <>
      {write.error && <Failure problem={write.error} />}
      <div className="gh-actions">
        <Button kind="primary" isBusy={write.isPending} onPress={replace}>
          {text('replaceForm', { name: form.data.name })}
        </Button>
        <span className="gh-quiet">{text('replaceHelp')}</span>
      </div>
    </>
  );
}
