import { type ReactNode, useState } from 'react';
import { problemOf } from '../../api/problem.js';
import { useRead, useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { draftOf, type StoredForm } from '../../design/draft.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Empty, Read } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { formatSize } from '../../text/size.js';
import { textOf } from '../../text/text.js';
import { savedWords } from './form-lead.js';

const text = textOf('designer');

/** A previous version without its schema. */
interface VersionHead {
  readonly revision: number;
  readonly bytes: number;
  readonly form: StoredForm;
}

/** Renders the previous versions of a large form, and buttons that restore them. */
export function LargeFormVersions({ form: { id } }: { readonly form: StoredForm }): ReactNode {
  const path = pathOf(['json-forms', 'forms', id, 'history'], { schema: 'none' });
  const versions = useRead<readonly VersionHead[]>(path);
  const canRestore = useSession().may('updateForm');
  return (
    <Read query={versions} what={text('versionsWhat')}>
      {(found) =>
        found.length === 0 ? (
          <Empty title={text('versionsEmpty')}>{text('versionsEmptyHelp')}</Empty>
        ) : (
          <ol className="gh-versions" aria-label={text('versions')}>
            {found.map(({ revision, bytes, form }) => (
              <li key={revision}>
                <div className="gh-actions">
                  <strong>{text('version', { revision })}</strong>
                  <span dir="auto">{form.name}</span>
                  <span className="gh-quiet">
                    {formatSize(bytes)} · {savedWords(form)}
                  </span>
                  {canRestore && <RestoreButton id={id} revision={revision} />}
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </Read>
  );
}

/** Stores a previous version as the current one. Only this loads and sends a whole schema. */
function RestoreButton({ id, revision }: { readonly id: string; readonly revision: number }): ReactNode {
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const path = pathOf(['json-forms', 'forms', id]);
  const write = useWrite([path]);
  const restore = async () => {
    setBusy(true);
    try {
      const { data } = await request<readonly Pick<VersionHead, 'form'>[]>({
        path: pathOf(['json-forms', 'forms', id, 'history'], { revision }),
      });
      const [found] = data;
      if (found) await write.mutateAsync({ method: 'PUT', path, body: { options: draftOf(found.form) } });
      showToast(found ? 'success' : 'danger', text(found ? 'restoredVersion' : 'versionGone', { revision }));
    } catch (error) {
      showToast('danger', problemOf(error).message);
    }
    setBusy(false);
  };
  return (
    <ConfirmButton
      verb={text('restore', { revision })}
      title={text('restoreTitle', { revision })}
      isBusy={isBusy}
      onConfirm={() => void restore()}
    >
      <p>{text('restoreLargeHelp')}</p>
    </ConfirmButton>
  );
}
