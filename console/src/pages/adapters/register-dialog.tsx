import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Dialog } from '../../kit/dialog.js';
import { Read } from '../../kit/feedback.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { faultOfObject } from './json-text.js';
import { RequestDialog } from './request-dialog.js';
import { sampleSettings, type SettingsSchema } from './settings-sample.js';
import { SettingsTable } from './settings-table.js';

/** Registers an adapter: a name, a type, and its settings as JSON. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const types = useRead<{ readonly adapterModels: readonly string[] }>('/adapter-models/types');
  return types.data ? (
    <RegisterForm models={types.data.adapterModels} onClose={onClose} />
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
  const [typed, setTyped] = useState<string>();
  const schema = useRead<{ readonly schema: SettingsSchema }>(pathOf(['schema', 'adapters', model]));
  const settings =
    typed ?? (schema.data ? JSON.stringify(sampleSettings(schema.data.schema, name), null, 2) : '{}');
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
        onChange={setTyped}
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
