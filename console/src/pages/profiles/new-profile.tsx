import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { EntryForm, TextField } from '../../kit/fields.js';
import { useToast } from '../../kit/toasts.js';
import { copyOf, type Profile } from './profile.js';

/** Creates an empty profile, which is edited on its page. */
export function NewProfile(): ReactNode {
  return <NameDialog verb="New profile" title="New profile" submitLabel="Create" profile={{ id: '' }} />;
}

/** Creates a copy of a profile with another name. */
export function CloneProfile({ profile }: { readonly profile: Profile }): ReactNode {
  return <NameDialog verb="Clone" title={`Clone ${profile.id}`} submitLabel="Clone" profile={profile} />;
}

interface NameDialogProps {
  readonly verb: string;
  readonly title: string;
  readonly submitLabel: string;
  /** Initial content of the new profile. */
  readonly profile: Profile;
}

function NameDialog({ verb, title, submitLabel, profile }: NameDialogProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { mutate, error, isPending, reset } = useWrite(['/profiles']);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const open = () => {
    reset();
    setName(profile.id === '' ? '' : `${profile.id}-copy`);
    setDescription(profile.description ?? '');
    setOpen(true);
  };
  const create = () => {
    const properties = { ...copyOf(profile, name), description };
    const onCreated = () => {
      setOpen(false);
      showToast('success', `Profile ${name} was created. It is not active.`);
      navigate(`${pathOf(['profiles', name])}?tab=edit`);
    };
    mutate({ method: 'POST', path: '/profiles', body: { properties } }, { onSuccess: onCreated });
  };
  return (
    <>
      <Button onPress={open}>{verb}</Button>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <Button kind="primary" isBusy={isPending} isDisabled={name === ''} onPress={create}>
            {submitLabel}
          </Button>
        }
      >
        <EntryForm label={title} onSubmit={create}>
          {error && <Failure problem={error} />}
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            help="The name is the id of the profile and cannot be changed. The profile has no effect until it is activated."
            isRequired
          />
          <TextField label="Description" value={description} onChange={setDescription} />
        </EntryForm>
      </Dialog>
    </>
  );
}
