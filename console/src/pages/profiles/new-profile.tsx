import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead, useWrite } from '../../api/queries.js';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Failure, Loading, Notice, Read } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { leaveUnasked } from '../../kit/leaving.js';
import { Page } from '../../kit/page.js';
import { useToast } from '../../kit/toasts.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';
import '../configure/configure.css';
import { LeaveGuard } from '../configure/leave-guard.js';
import { SettingsEditor } from '../configure/settings-editor.js';
import type { SettingsKind } from '../configure/settings-kind.js';
import { useFirstFocus } from '../configure/use-first-focus.js';
import { SCHEMA_PATH } from './edit-profile.js';
import { NO_FAULTS, profileFaults } from './profile-faults.js';
import { copyOf, type ListedProfile, type Profile, readObject } from './profile.js';
import { useProfileSettings } from './use-profile-settings.js';

const text = textOf('profiles');
const configureText = textOf('configure');

/** Renders the page that creates a profile; `?from=<id>` starts with a copy of another one. */
export function NewProfilePage(): ReactNode {
  const [{ from }] = useUrlState({ from: '' });
  const kind = useProfileSettings();
  const schema = useRead<{ readonly schema: Schema }>(SCHEMA_PATH);
  const original = useRead<ListedProfile>(pathOf(['profiles', from]), { enabled: from !== '' });
  return (
    <Page
      title={from === '' ? text('new') : text('clone.title', { id: from })}
      lead={from === '' ? text('new.lead') : text('clone.lead', { id: from })}
    >
      <Read query={schema} what={text('schema.what')}>
        {(data) => {
          if (!kind) return <Loading what={text('schema.what')} />;
          if (from === '') return <NewProfileForm schema={data.schema} kind={kind} start={{ id: '' }} />;
          return (
            <Read query={original} what={text('one')}>
              {({ profile }) => <NewProfileForm schema={data.schema} kind={kind} start={profile} />}
            </Read>
          );
        }}
      </Read>
    </Page>
  );
}

interface NewProfileFormProps {
  readonly schema: Schema;
  readonly kind: SettingsKind;
  /** The profile that is copied; one without a name for an empty profile. */
  readonly start: Profile;
}

function NewProfileForm({ schema, kind, start }: NewProfileFormProps): ReactNode {
  const [initial] = useState(() => draftOf(start));
  const [name, setName] = useState(initial.name);
  const [json, setJson] = useState(initial.json);
  const [isNameMissing, setNameMissing] = useState(false);
  const first = useFirstFocus();
  const write = useWrite(['/profiles', '/console']);
  const showToast = useToast();
  const [, navigate] = useLocation();
  const faults = useMemo(() => (write.error ? profileFaults(write.error) : NO_FAULTS), [write.error]);
  const nameFault = isNameMissing && name === '' ? text('name.missing') : faults.name;
  const count = faults.settings.length + (nameFault === undefined ? 0 : 1);
  const read = readObject(json);
  const isJson = 'value' in read;
  const wanted: ApiRequest = {
    method: 'POST',
    path: '/profiles',
    body: { properties: { ...(isJson && read.value), id: name } },
  };
  const create = () => {
    setNameMissing(name === '');
    if (name === '') return;
    const onSuccess = () => {
      showToast('success', text('created', { id: name }));
      leaveUnasked(() => navigate(pathOf(['profiles', name])));
    };
    write.mutate(wanted, { onSuccess });
  };
  return (
    <div className="gh-stack">
      <LeaveGuard isDirty={(name !== initial.name || json !== initial.json) && !write.isSuccess} />
      <div ref={first}>
        <TextField
          label={text('name')}
          value={name}
          onChange={setName}
          isRequired
          help={text('name.help')}
          {...(nameFault !== undefined && { error: nameFault })}
        />
      </div>
      <p className="gh-quiet">{text('edit.lead')}</p>
      <SettingsEditor
        schema={schema}
        label={text('import.json')}
        value={json}
        kind={kind}
        onChange={setJson}
        errors={faults.settings}
      />
      <div className="gh-save-bar">
        {count > 0 && <Notice kind="danger" title={configureText('fixFields', { count })} />}
        {count === 0 && write.error && <Failure problem={write.error} />}
        <div className="gh-actions">
          <Button kind="primary" isBusy={write.isPending} isDisabled={!isJson} onPress={create}>
            {text('create')}
          </Button>
          <Button kind="link" onPress={() => navigate('/profiles')}>
            {text('cancel')}
          </Button>
          <CopyAsCurl wanted={wanted} />
        </div>
      </div>
    </div>
  );
}

/** Returns the name and the content that a new profile starts with. The name is not part of the content. */
function draftOf(start: Profile): { readonly name: string; readonly json: string } {
  const { id: name, ...content } = copyOf(start, start.id === '' ? '' : `${start.id}-copy`);
  return { name, json: JSON.stringify(content, null, 2) };
}
