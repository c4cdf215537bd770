import type { ReactNode } from 'react';
import '../history/versions.css';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { yangSourceOf } from '../../design/yang-source.js';
import { Facts } from '../../kit/facts.js';
import { Notice } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Tabs } from '../../kit/tabs.js';
import { Ago } from '../../kit/time.js';
import { rich } from '../../text/rich.js';
import { formatSize } from '../../text/size.js';
import { textOf } from '../../text/text.js';
import { savedWords } from './form-lead.js';
import { LargeFormActions } from './large-form-actions.js';
import { LargeFormVersions } from './large-form-versions.js';
import { TestDataPane } from './test-data-pane.js';
import { useTestData } from './use-test-data.js';

const text = textOf('designer');

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
            <Ago at={created} /> {createdBy}
          </>
        ),
      }}
    />
  );
}
