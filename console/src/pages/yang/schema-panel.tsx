import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead, useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { DownloadButton } from '../../kit/download.js';
import { Failure } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import { Tag } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import { useCreateForm } from '../forms/create-form.js';
import type { Dialect, YangSchema } from './yang-request.js';
import { text } from './yang-text.js';

interface SchemaPanelProps {
  readonly result: YangSchema;
  readonly dialect: Dialect;
}

/** Renders the schema, a button that downloads the schema, and fields that create a form from the schema. */
export function SchemaPanel({ result, dialect }: SchemaPanelProps): ReactNode {
  const { module, revision = '', namespace, schema, uiSchema, targets = [] } = result;
  const name = `${module}${revision && `@${revision}`}`;
  const json = useMemo(() => JSON.stringify(schema, null, 2), [schema]);
  return (
    <Panel
      title={text('schema', { module })}
      actions={
        <>
          <DownloadButton
            file={() => ({ name: `${name}.schema.json`, type: 'application/schema+json', text: json })}
          >
            {text('download')}
          </DownloadButton>
          <DownloadButton
            file={() => ({
              name: `${name}.ui-schema.json`,
              type: 'application/json',
              text: JSON.stringify(uiSchema, null, 2),
            })}
          >
            {text('downloadUi')}
          </DownloadButton>
        </>
      }
    >
      <div className="gh-stack">
        <p className="gh-quiet">
          {[
            ...(namespace === '' ? [] : [namespace]),
            ...(revision === '' ? [] : [text('revision', { revision })]),
            text('characters', { count: json.length }),
          ].join(' · ')}
        </p>
        {dialect === 'plain' ? (
          <>
            <ReplaceForm result={result} />
            <CreateFormFields result={result} />
          </>
        ) : (
          <p className="gh-quiet">{text('noForm', { library: text(`dialect.${dialect}`) })}</p>
        )}
        {targets.length > 0 && (
          <p>
            {text('targets')}{' '}
            {targets.map((target) => (
              <Tag key={target}>{target}</Tag>
            ))}
          </p>
        )}
        <CodeEditor label={text('schema.editor', { module })} value={json} />
      </div>
    </Panel>
  );
}

function CreateFormFields({ result }: { readonly result: YangSchema }): ReactNode {
  const { module, schema, uiSchema } = result;
  const [name, setName] = useState(module);
  const { create, isBusy, problem } = useCreateForm();
  if (!useSession().may('createForm')) return null;
  const description = text('formDescription', {
    module: result.revision === undefined ? module : `${module}@${result.revision}`,
  });
  return (
    <>
      {problem && <Failure problem={problem} />}
      <div className="gh-make-form">
        <TextField label={text('formName')} value={name} onChange={setName} />
        <Button
          kind="primary"
          isBusy={isBusy}
          isDisabled={name.trim() === ''}
          onPress={() => create({ name: name.trim(), description, schema, uiSchema })}
        >
          {text('createForm')}
        </Button>
      </div>
    </>
  );
}

/** Renders a button that gives the form in the URL (`?form=`) the converted schema; nothing without a form. */
function ReplaceForm({ result }: { readonly result: YangSchema }): ReactNode {
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
