import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { draftOf, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { Columns } from '../../kit/page.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { DiffView } from '../../kit/diff-view.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Ago } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
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
    <Read query={versions} what="the versions">
      {(found) =>
        found.length === 0 ? (
          <Empty title="No previous versions">
            Each save keeps the previous version, up to the limit that the server is configured with.
          </Empty>
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
      <ol className="gh-versions" aria-label="Versions">
        {versions.map(({ revision, form }) => (
          <li key={revision}>
            <button
              type="button"
              className="gh-version"
              aria-current={revision === chosen.revision}
              onClick={() => setUrl({ version: String(revision) })}
            >
              <strong>Version {revision}</strong>
              <span className="gh-quiet">
                <Ago at={form.lastUpdated ?? form.created} /> by {lastEditorOf(form)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div className="gh-stack">
        <div className="gh-actions">
          <strong>Version {chosen.revision}, compared with the current form</strong>
          {design.canEdit && <Button onPress={restore}>Restore version {chosen.revision}</Button>}
        </div>
        <p className="gh-quiet">
          Restoring loads the version into the designer. Other users see it after you save.
        </p>
        <DiffView
          before={draftOf(chosen.form)}
          after={design.draft}
          labels={[`Version ${chosen.revision}`, 'Current']}
        />
      </div>
    </Columns>
  );
}
