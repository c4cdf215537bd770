import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import type { YangOptions } from './yang-request.js';

interface Adapters {
  readonly results: readonly { readonly data?: { readonly name?: string }; readonly name?: string }[];
}

export interface OptionsFormProps {
  readonly options: YangOptions;
  readonly onChange: (options: YangOptions) => void;
}

/** Renders options of the conversion. */
export function OptionsForm({ options, onChange }: OptionsFormProps): ReactNode {
  const set = (name: TextOption) => (value: string) => onChange({ ...options, [name]: value });
  return (
    <Panel title="Options">
      <div className="gh-stack">
        <TextField
          label="Start at"
          value={options.path}
          onChange={set('path')}
          placeholder="/ietf-interfaces:interfaces"
          help="A node of the model. Leave empty for the whole model."
        />
        <AdapterField value={options.adapterId} onChange={set('adapterId')} />
        {options.adapterId !== '' && (
          <TextField
            label="Mount"
            value={options.mount}
            onChange={set('mount')}
            placeholder="/restconf/data/.../yang-ext:mount"
            help="Data resource of a mounted device, or of another RESTCONF root. Leave empty for the orchestrator itself."
          />
        )}
        <MoreOptions options={options} set={set} />
        <CheckField
          label="Lenient"
          isChecked={options.isLenient}
          onChange={(isLenient) => onChange({ ...options, isLenient })}
          help="Statements in the wrong order, and a slash at the end of the path of an augment, are warnings."
        />
      </div>
    </Panel>
  );
}

/** Options that are typed. */
type TextOption = Exclude<keyof YangOptions, 'isLenient'>;

interface MoreOptionsProps {
  readonly options: YangOptions;
  readonly set: (name: TextOption) => (value: string) => void;
}

/** Renders rarely used options. */
function MoreOptions({ options, set }: MoreOptionsProps): ReactNode {
  return (
    <details>
      <summary>More options</summary>
      <div className="gh-stack">
        <TextAreaField
          label="Features"
          rows={3}
          isCode
          value={options.features}
          onChange={set('features')}
          help="One module per line, as module: feature feature. All features of other modules are enabled."
        />
        <TextField
          label="Deviations"
          value={options.deviations}
          onChange={set('deviations')}
          help="Modules whose deviations apply."
        />
        <TextField
          label="Other document"
          value={options.target}
          onChange={set('target')}
          placeholder="rpc:reset/input"
          help="Converted instead of the data. The result lists the possible values."
        />
        <SelectField
          label="Nodes"
          value={options.content}
          onChange={set('content')}
          options={[
            { value: 'config', label: 'Configuration' },
            { value: 'all', label: 'Configuration and state (read only)' },
          ]}
        />
        <SelectField
          label="JSON Schema draft"
          value={options.draft}
          onChange={set('draft')}
          options={[
            { value: '2020-12', label: '2020-12' },
            { value: '07', label: '07' },
          ]}
        />
      </div>
    </details>
  );
}

function AdapterField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const mayList = useSession().may('getAdapters');
  const { data } = useRead<Adapters>('/adapters', { enabled: mayList });
  const names = (data?.results ?? []).flatMap((one) => one.data?.name ?? one.name ?? []);
  return (
    <SelectField
      label="Missing modules"
      value={value}
      onChange={onChange}
      help="Source of imported modules. An orchestrator lists its modules as in RFC 8525, RFC 7895 or RFC 6022."
      options={[
        { value: '', label: 'only from the folders of the server' },
        ...names.map((name) => ({ value: name, label: `from the orchestrator of ${name}` })),
      ]}
    />
  );
}
