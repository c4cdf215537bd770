import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Dialog } from '../../kit/dialog.js';
import { Read } from '../../kit/feedback.js';
import { FileField, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { faultOfObject } from '../../kit/json-text.js';
import { RequestDialog } from './request-dialog.js';
import { sampleSettings, settingsOf, type SettingsSchema } from './settings-sample.js';
import '../../style/parts.css';

interface AdapterTypes {
  readonly adapterModels: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** Returns each type once: the server accepts all of these types as the model of a new adapter. */
function typesWithoutAliases({ adapterModels, aliases }: AdapterTypes): readonly string[] {
  return adapterModels.filter((type) => !Object.hasOwn(aliases, type));
}

/** Registers an adapter: a name, a type, and its settings as JSON. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const types = useRead<AdapterTypes>('/adapter-models/types');
  return types.data ? (
    <RegisterForm models={typesWithoutAliases(types.data)} onClose={onClose} />
  ) : (
    <Dialog title="Register adapter" isOpen onClose={onClose} isWide>
      <Read query={types} what="the adapter types">
        {() => null}
      </Read>
    </Dialog>
  );
}

interface RegisterFormProps {
  readonly models: readonly string[];
  readonly onClose: () => void;
}

function RegisterForm({ models, onClose }: RegisterFormProps): ReactNode {
  const [name, setName] = useState('');
  const [model, setModel] = useState(models.includes('restconf') ? 'restconf' : (models[0] ?? ''));
  const [edited, setEdited] = useState<string>();
  const schema = useRead<{ readonly schema: SettingsSchema }>(pathOf(['schema', 'adapters', model]));
  const settings =
    edited ?? (schema.data ? JSON.stringify(sampleSettings(schema.data.schema, name), null, 2) : '{}');
  const fault = faultOfObject(settings);
  return (
    <RequestDialog
      title="Register adapter"
      verb="Register"
      request={registration({ name, model, settings })}
      name={name}
      isReady={name !== '' && fault === undefined}
      isWide
      onClose={onClose}
      below={
        <Read query={schema} what="the schema">
          {(data) => <SettingsTable schema={data.schema} model={model} />}
        </Read>
      }
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        help="Clients use the name as adapterId; it cannot be changed. 1 to 64 letters, digits, spaces, dots, _ or -."
      />
      <SelectField
        label="Type"
        value={model}
        onChange={setModel}
        options={models.map((value) => ({ value, label: value }))}
      />
      <TextAreaField
        label="Settings"
        isCode
        rows={12}
        value={settings}
        onChange={setEdited}
        help="Write secrets as Vault references: $VAULT_<path>#<field>. The adapter starts at once."
        {...(fault !== undefined && { error: fault })}
      />
    </RequestDialog>
  );
}

/** Returns the request. The settings are sent as typed, so that long numbers keep their digits. */
function registration({
  name,
  model,
  settings,
}: Readonly<Record<'name' | 'model' | 'settings', string>>): ApiRequest {
  const [id, type] = [JSON.stringify(name), JSON.stringify(model)];
  return {
    method: 'POST',
    path: '/adapters',
    json: `{"properties":{"name":${id},"type":"Adapter","model":${type},"properties":{"id":${id},"type":${type},"brokers":[],"groups":[],"properties":${settings}}}}`,
  };
}

/** Renders the settings of an adapter type, folded at first. */
function SettingsTable({
  schema,
  model,
}: {
  readonly schema: SettingsSchema;
  readonly model: string;
}): ReactNode {
  return (
    <details className="gh-fold">
      <summary>Settings of {model}</summary>
      <dl className="gh-settings">
        {settingsOf(schema).map(({ key, takes, isRequired, what }) => (
          <div key={key}>
            <dt>
              <code>{key}</code> <span className="gh-quiet">{isRequired ? `${takes}, required` : takes}</span>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <a className="gh-link" href={pathOf(['schema', 'adapters', model])} target="_blank" rel="noreferrer">
        Complete JSON Schema
      </a>
    </details>
  );
}

/** Maximum size of a file, in bytes; the server's limit is lower. */
const MAX_FILE_BYTES = 5_000_000;

/** Imports an exported adapter. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const fault = text === '' ? undefined : faultOfObject(text);
  return (
    <RequestDialog
      title="Import adapter"
      verb="Import"
      request={{ method: 'POST', path: '/adapters/import', json: `{"properties":${text}}` }}
      isReady={text !== '' && fault === undefined}
      isWide
      onClose={onClose}
    >
      <FileField label="File" accept=".json,application/json" maxBytes={MAX_FILE_BYTES} onText={setText} />
      <TextAreaField
        label="The adapter as JSON"
        isCode
        rows={14}
        value={text}
        onChange={setText}
        help="Paste the JSON of an export. The adapter is registered under the name in the JSON and starts at once. Write secrets as Vault references; plain-text secrets are refused."
        {...(fault !== undefined && { error: fault })}
      />
    </RequestDialog>
  );
}
