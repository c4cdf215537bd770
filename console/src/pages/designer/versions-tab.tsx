import type { ReactNode } from 'react';
import '../history/versions.css';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { text } from '../../design/designer-text.js';
import { draftOf, type StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { DiffView } from '../../kit/diff-view.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Columns } from '../../kit/page.js';
import { useUrlState } from '../../kit/url-state.js';
import { savedWords } from './form-head.js';
import type { Design } from './use-design.js';

interface Version {
  readonly revision: number;
  readonly form: StoredForm;
}

/**
 * Renders the previous versions of the form, a comparison with the current form, and a button that restores a
 * version.
 */
export function VersionsTab({ design }: { readonly design: Design }): ReactNode {
  const path = pathOf(['json-forms', 'forms', design.form.id, 'history']);
  const versions = useRead<readonly Version[]>(path);
  return (
    <Read query={versions} what={text('versionsWhat')}>
      {(found) =>
        found.length === 0 ? (
          <Empty title={text('versionsEmpty')}>{text('versionsEmptyHelp')}</Empty>
        ) : (
          <>
            <Versions design={design} versions={found} />
            <div>
              <CopyAsCurl wanted={{ path }} />
            </div>
          </>
        )
      }
    </Read>
  );
}

function Versions({
  design,
  versions,
}: {
  readonly design: Design;
  readonly versions: readonly Version[];
}): ReactNode {
  const [{ version, tab }, setUrl] = useUrlState({ version: '', tab: 'design' });
  const chosen = versions.find(({ revision }) => String(revision) === version) ?? versions[0];
  if (!chosen) return null;
  const restore = () => {
    design.change(draftOf(chosen.form));
    setUrl({ tab: tab === 'versions' ? 'design' : tab });
  };
  return (
    <Columns kind="narrow-first">
      <ol className="gh-versions" aria-label={text('versions')}>
        {versions.map(({ revision, form }) => (
          <li key={revision}>
            <button
              type="button"
              className="gh-version"
              aria-current={revision === chosen.revision}
              onClick={() => setUrl({ version: String(revision) })}
            >
              <strong>{text('version', { revision })}</strong>
              <span className="gh-quiet">{savedWords(form)}</span>
            </button>
          </li>
        ))}
      </ol>
      <div className="gh-stack">
        <div className="gh-actions">
          <strong>{text('versionCompared', { revision: chosen.revision })}</strong>
          {design.canEdit && (
            <Button onPress={restore}>{text('restore', { revision: chosen.revision })}</Button>
          )}
        </div>
        <p className="gh-quiet">{text('restoreHelp')}</p>
        <DiffView
          before={draftOf(chosen.form)}
          after={design.draft}
          labels={[text('version', { revision: chosen.revision }), text('current')]}
        />
      </div>
    </Columns>
  );
}
