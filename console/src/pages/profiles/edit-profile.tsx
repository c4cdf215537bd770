import { type ReactNode, useMemo, useState } from 'react';
import { useRead, useWrite } from '../../api/queries.js';
import { type ApiReply, type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';
import '../configure/configure.css';
import { ConflictNotice } from '../configure/conflict-notice.js';
import { LeaveDialog, LeaveGuard } from '../configure/leave-guard.js';
import { SettingsEditor } from '../configure/settings-editor.js';
import { NO_TERMS, termsOf } from '../history/change-terms.js';
import { settingsFaults } from './profile-faults.js';
import { type ListedProfile, readObject, updateOf, withUpdate } from './profile.js';
import { SaveDialog } from './save-dialog.js';
import { useProfileSettings } from './use-profile-settings.js';

const text = textOf('profiles');
const configureText = textOf('configure');

export interface EditProfileProps {
  readonly reply: ApiReply<ListedProfile>;
  /** Reads the profile again. */
  readonly readAgain: () => Promise<ApiReply<ListedProfile> | undefined>;
}

/** Path of the schema of profiles. */
export const SCHEMA_PATH = '/schema/profiles';

/** Paths that a change of a profile may affect. */
const AFFECTED_PATHS = ['/profiles', '/console', '/adapters', '/health'];

/** Edits a profile as a form or as JSON; errors of the server are shown at their fields. */
export function EditProfile(props: EditProfileProps): ReactNode {
  const { metadata, profile } = props.reply.data;
  const edit = useProfileEdit(props);
  const { base, conflict, write } = edit;
  const kind = useProfileSettings();
  const schema = useRead<{ readonly schema: Schema }>(SCHEMA_PATH);
  const errors = useMemo(() => settingsFaults(write.error?.errors ?? []), [write.error]);
  return (
    <div className="gh-stack">
      <LeaveGuard isDirty={edit.isChanged} />
      {metadata.isActive && <Notice kind="warning" title={text('edit.active')} />}
      {errors.length > 0 && (
        <Notice kind="danger" title={configureText('fixFields', { count: errors.length })} />
      )}
      {write.error && errors.length === 0 && !conflict && <Failure problem={write.error} />}
      {conflict && (
        <ConflictNotice
          title={text('edit.conflict')}
          before={base.data.profile}
          current={conflict.data.profile}
          onTake={edit.takeConflict}
        />
      )}
      <p className="gh-quiet">{text('edit.lead')}</p>
      {schema.isPending || !kind ? (
        <Loading what={text('schema.what')} />
      ) : (
        <SettingsEditor
          // Without a schema there is no form; the JSON can be changed nevertheless.
          schema={schema.data?.schema ?? {}}
          label={text('one.label', { id: profile.id })}
          value={edit.json}
          kind={kind}
          onChange={edit.setJson}
          errors={errors}
        />
      )}
      <SaveBar edit={edit} metadata={metadata} />
    </div>
  );
}

interface SaveBarProps {
  readonly edit: ReturnType<typeof useProfileEdit>;
  readonly metadata: ListedProfile['metadata'];
}

/** Renders the buttons that save the profile after a review, and that discard the changes after a question. */
function SaveBar({ edit, metadata }: SaveBarProps): ReactNode {
  const { base, read, update, isChanged, conflict } = edit;
  const [isSaving, setSaving] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [terms, setTerms] = useState(NO_TERMS);
  const wanted: ApiRequest = {
    method: 'PUT',
    path: pathOf(['profiles', base.data.profile.id]),
    body: { properties: update, ...termsOf(terms) },
    ...(base.etag !== undefined && { ifMatch: base.etag }),
  };
  const discard = () => {
    setLeaving(false);
    edit.discard();
  };
  const save = () => {
    setSaving(false);
    edit.save(wanted, () => setTerms(NO_TERMS));
  };
  const canSave = isChanged && conflict === undefined && Object.keys(update).length > 0;
  return (
    <div className="gh-save-bar">
      <LeaveDialog isOpen={isLeaving} onStay={() => setLeaving(false)} onLeave={discard} />
      <div className="gh-actions">
        <Button kind="primary" isBusy={edit.isBusy} isDisabled={!canSave} onPress={() => setSaving(true)}>
          {text('save')}
        </Button>
        <Button isDisabled={!isChanged} onPress={() => setLeaving(true)}>
          {text('discard')}
        </Button>
        <CopyAsCurl wanted={wanted} />
      </div>
      {isSaving && 'value' in read && (
        <SaveDialog
          listed={{ ...base.data, metadata }}
          edited={read.value}
          terms={terms}
          onTerms={setTerms}
          onSave={save}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}

/** The text of a profile while it is edited, and the profile that the editing began with. */
function useProfileEdit({ reply, readAgain }: EditProfileProps) {
  const [base, setBase] = useState(reply);
  const [json, setJson] = useState(() => jsonOf(reply));
  const [isReading, setReading] = useState(false);
  const write = useWrite(AFFECTED_PATHS);
  const showToast = useToast();
  const isBusy = write.isPending || isReading;
  const isChanged = json !== jsonOf(base);
  const read = readObject(json);
  const open = (next: ApiReply<ListedProfile>) => {
    setBase(next);
    setJson(jsonOf(next));
  };
  const update = 'value' in read ? updateOf(base.data.profile, read.value) : {};
  const isOutdated = !isBusy && reply.etag !== base.etag;
  if (isOutdated && !isChanged) open(reply);
  const save = (wanted: ApiRequest, onSaved: () => void) =>
    write.mutate(wanted, {
      onSuccess: () => {
        onSaved();
        showToast('success', text('saved', { id: base.data.profile.id }));
        setReading(true);
        void readAgain().then((saved) => {
          if (saved) open(saved);
          setReading(false);
        });
      },
      onError: ({ status }) => {
        if (status === 412) void readAgain();
      },
    });
  return {
    base,
    json,
    setJson,
    read,
    update,
    isChanged,
    isBusy,
    conflict: isOutdated && isChanged ? reply : undefined,
    takeConflict: () => {
      setBase(reply);
      // Text that is not JSON yet stays as it is.
      if ('value' in read) setJson(textOfProfile(withUpdate(reply.data.profile, update)));
      write.reset();
    },
    discard: () => {
      open(reply);
      write.reset();
    },
    write,
    save,
  };
}

function jsonOf({ data }: ApiReply<ListedProfile>): string {
  return textOfProfile(data.profile);
}

function textOfProfile(profile: object): string {
  return JSON.stringify(profile, null, 2);
}
