import type { ReactNode } from 'react';
import '../history/versions.css';
import { useRead, useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { useOperation } from '../../api/use-operation.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import { draftOf, type StoredForm } from '../../design/draft.js';
import { yangSourceOf } from '../../design/yang-source.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Facts } from '../../kit/facts.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Tabs } from '../../kit/tabs.js';
import { Time } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { formatSize } from '../../text/locale.js';
import { rich } from '../../text/rich.js';
import { savedWords } from './form-head.js';
import { LargeFormActions } from './large-form-actions.js';
import { TestDataPane, useTestData } from './test-data-pane.js';

interface LargeFormProps {
  /** The form with the first part of its schema. */
  readonly form: StoredForm;
}

/** Renders the page of a large form from YANG: its facts, a preview that loads its parts, and its versions. */
export function LargeForm({ form }: LargeFormProps): ReactNode {
  const canEdit = useSession().may('updateForm');
  const test = useTestData(form);
  return (
    <Page
      title={form.name}
      lead={
        <>
          <Link to="/forms">{text('forms')}</Link> ·{' '}
          {typeof form.description === 'string' && form.description !== '' && (
            <>
              <span dir="auto">{form.description}</span> ·{' '}
            </>
          )}
          <span className="gh-quiet">{savedWords(form)}</span>{' '}
          {!canEdit && <StatusLabel status="off">{text('readOnlyForm')}</StatusLabel>}
        </>
      }
      actions={<LargeFormActions form={form} test={test} />}
    >
      <Reason form={form} />
      <SourceFacts form={form} />
      <Tabs
        label={text('parts')}
        tabs={[
          { key: 'design', title: text('viewForm'), content: <TestDataPane form={form} test={test} /> },
          { key: 'versions', title: text('versions'), content: <LargeFormVersions form={form} /> },
        ]}
      />
    </Page>
  );
}

/** Says why the schema is not edited here, and what to do instead. */
function Reason({ form }: LargeFormProps): ReactNode {
  const { may } = useSession();
  const mayConvert = may('updateForm') && may('yangToSchema');
  const link = (children: ReactNode) =>
    mayConvert ? <Link to={pathOf(['yang'], { form: form.id })}>{children}</Link> : children;
  return (
    <Notice kind="info" title={text('largeTitle')}>
      {rich(text, 'largeHelp', { link })}
    </Notice>
  );
}

/** Number of modules that are named; a device may have hundreds. */
const MAX_NAMED = 3;

function SourceFacts({ form }: LargeFormProps): ReactNode {
  const { schema, bytes = 0, created, createdBy = '' } = form;
  const source = yangSourceOf(schema);
  if (!source) return null;
  const { modules, isDatastore, hasState, target, path, model } = source;
  const named = modules.map(({ name, revision }) => (revision === undefined ? name : `${name}@${revision}`));
  const document = target ?? text(isDatastore ? 'allModules' : 'oneModule');
  return (
    <Facts
      facts={{
        [text('modules')]:
          named.length > MAX_NAMED ? (
            <details>
              <summary>{text('modulesOf', { count: named.length })}</summary>
              <ul className="gh-faults">
                {named.map((name) => (
                  <li key={name}>{name}</li>
                ))}
              </ul>
            </details>
          ) : (
            named.join(', ')
          ),
        [text('yangDocument')]: text(hasState ? 'withState' : 'configOnly', { document }),
        [text('startNode')]: path,
        [text('yangModel')]: model && <code className="gh-code">{model.slice(0, 12)}</code>,
        [text('size')]: formatSize(bytes),
        [text('created')]: (
          <>
            <Time at={created} /> {createdBy}
          </>
        ),
      }}
    />
  );
}

interface VersionHead {
  readonly revision: number;
  readonly bytes: number;
  readonly form: StoredForm;
}

/** Renders the previous versions of a large form, and buttons that restore them. */
function LargeFormVersions({ form: { id } }: { readonly form: StoredForm }): ReactNode {
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
  const { isBusy, run } = useOperation(({ message }) => showToast('danger', message));
  const path = pathOf(['json-forms', 'forms', id]);
  const write = useWrite([path]);
  const restore = async () => {
    const { data } = await request<readonly Pick<VersionHead, 'form'>[]>({
      path: pathOf(['json-forms', 'forms', id, 'history'], { revision }),
    });
    const [found] = data;
    if (found) await write.mutateAsync({ method: 'PUT', path, body: { options: draftOf(found.form) } });
    showToast(found ? 'success' : 'danger', text(found ? 'restoredVersion' : 'versionGone', { revision }));
  };
  return (
    <ConfirmButton
      verb={text('restore', { revision })}
      title={text('restoreTitle', { revision })}
      isBusy={isBusy}
      onConfirm={() => void run(restore)}
    >
      <p>{text('restoreLargeHelp')}</p>
    </ConfirmButton>
  );
}
