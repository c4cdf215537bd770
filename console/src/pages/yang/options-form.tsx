import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import type { YangOptions } from './yang-request.js';
import { text } from './yang-text.js';

interface Adapters {
  readonly results: readonly { readonly data?: { readonly name?: string }; readonly name?: string }[];
}

interface OptionsFormProps {
  readonly options: YangOptions;
  readonly onChange: (options: YangOptions) => void;
}

export function OptionsForm({ options, onChange }: OptionsFormProps): ReactNode {
  const set = (name: TextOption) => (value: string) => onChange({ ...options, [name]: value });
  return (
    <Panel title={text('options')}>
      <div className="gh-stack">
        <TextField
          label={text('startAt')}
          value={options.path}
          onChange={set('path')}
          placeholder="/ietf-interfaces:interfaces"
          help={text('startAt.help')}
        />
        <DocumentFields options={options} onChange={onChange} />
        <AdapterField value={options.adapterId} onChange={set('adapterId')} />
        {options.adapterId !== '' && (
          <TextField
            label={text('mount')}
            value={options.mount}
            onChange={set('mount')}
            placeholder="/restconf/data/.../yang-ext:mount"
            help={text('mount.help')}
          />
        )}
        <MoreOptions options={options} set={set} />
        <CheckField
          label={text('lenient')}
          isChecked={options.isLenient}
          onChange={(isLenient) => onChange({ ...options, isLenient })}
          help={text('lenient.help')}
        />
      </div>
    </Panel>
  );
}

/** Options that are typed. */
type TextOption = Exclude<keyof YangOptions, 'isLenient' | 'document' | 'dialect'>;

function DocumentFields({ options, onChange }: OptionsFormProps): ReactNode {
  return (
    <>
      <SelectField
        label={text('document')}
        value={options.document}
        onChange={(document) => onChange({ ...options, document: document as YangOptions['document'] })}
        options={[
          { value: 'modules', label: text('document.modules') },
          { value: 'datastore', label: text('document.datastore') },
          { value: 'other', label: text('document.other') },
        ]}
      />
      {options.document === 'other' && (
        <TextField
          label={text('target')}
          value={options.target}
          onChange={(target) => onChange({ ...options, target })}
          placeholder="rpc:reset/input"
          help={text('target.help')}
        />
      )}
      <SelectField
        label={text('dialect')}
        value={options.dialect}
        onChange={(dialect) => onChange({ ...options, dialect: dialect as YangOptions['dialect'] })}
        help={text('dialect.help')}
        options={[
          { value: 'plain', label: text('dialect.plain') },
          { value: 'rjsf', label: text('dialect.rjsf') },
          { value: 'jsonforms', label: text('dialect.jsonforms') },
        ]}
      />
    </>
  );
}

interface MoreOptionsProps {
  readonly options: YangOptions;
  readonly set: (name: TextOption) => (value: string) => void;
}

function MoreOptions({ options, set }: MoreOptionsProps): ReactNode {
  return (
    <details>
      <summary>{text('more')}</summary>
      <div className="gh-stack">
        <TextAreaField
          label={text('features')}
          rows={3}
          isCode
          value={options.features}
          onChange={set('features')}
          help={text('features.help')}
        />
        <TextField
          label={text('deviations')}
          value={options.deviations}
          onChange={set('deviations')}
          help={text('deviations.help')}
        />
        <SelectField
          label={text('content')}
          value={options.content}
          onChange={set('content')}
          options={[
            { value: 'config', label: text('content.config') },
            { value: 'all', label: text('content.all') },
          ]}
        />
        <SelectField
          label={text('draft')}
          value={options.draft}
          onChange={set('draft')}
          options={[
            { value: '', label: text('draft.default') },
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
      label={text('source')}
      value={value}
      onChange={onChange}
      help={text('source.help')}
      options={[
        { value: '', label: text('source.server') },
        ...names.map((name) => ({ value: name, label: text('source.adapter', { name }) })),
      ]}
    />
  );
}
