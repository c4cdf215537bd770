import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead, useWrite } from '../../api/queries.js';
import { type ApiReply, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmButton, Dialog } from '../../kit/dialog.js';
import { DownloadButton } from '../../kit/download.js';
import { Failure } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import type { Impact } from './impact.js';
import { ImpactOf, impactPath } from './impact-view.js';
import { CloneProfile } from './new-profile.js';
import type { ListedProfile } from './profile.js';

interface ActionsProps {
  readonly reply: ApiReply<ListedProfile>;
}

/** Renders actions on a profile. */
export function ProfileActions({ reply }: ActionsProps): ReactNode {
  const { may } = useSession();
  const { metadata, profile } = reply.data;
  return (
    <>
      {may('switchActiveProfile') && !metadata.isActive && <Activate reply={reply} />}
      {may('createProfile') && <CloneProfile profile={profile} />}
      <DownloadButton
        file={() => ({
          name: `${profile.id}.json`,
          type: 'application/json',
          text: `${JSON.stringify(profile, null, 2)}\n`,
        })}
      >
        Export
      </DownloadButton>
      {may('deleteProfile') && !metadata.isActive && <Delete reply={reply} />}
    </>
  );
}

/** Paths that a change of the active profile may affect. */
const AFFECTED_PATHS = ['/profiles', '/adapters', '/console', '/whoami', '/health'];

function Activate({ reply: { data, etag } }: ActionsProps): ReactNode {
  const { id } = data.profile;
  const maySeeImpact = useSession().may('getProfileImpact');
  const [isOpen, setOpen] = useState(false);
  const { data: impact } = useRead<Impact>(impactPath(id), { enabled: maySeeImpact && isOpen });
  const { mutate, error, isPending, reset } = useWrite<{ readonly message: string }>(AFFECTED_PATHS);
  const showToast = useToast();
  const activate = () =>
    mutate(
      {
        method: 'PUT',
        path: pathOf(['profiles', id, 'active']),
        ...(etag !== undefined && { ifMatch: etag }),
      },
      {
        onSuccess({ data: { message } }) {
          setOpen(false);
          showToast('success', message);
        },
      },
    );
  const open = () => {
    reset();
    setOpen(true);
  };
  const isRefused = (impact?.faults.length ?? 0) > 0;
  return (
    <>
      <Button kind="primary" onPress={open}>
        Activate
      </Button>
      <Dialog
        title={`Activate ${id}?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <Button kind="primary" isBusy={isPending} isDisabled={isRefused} onPress={activate}>
            Activate
          </Button>
        }
      >
        <div className="gh-stack">
          {error && <Failure problem={error} />}
          {maySeeImpact ? <ImpactOf id={id} /> : <p>The settings of the profile apply at once.</p>}
        </div>
      </Dialog>
    </>
  );
}

function Delete({ reply: { data, etag } }: ActionsProps): ReactNode {
  const { id } = data.profile;
  const { mutate, isPending } = useWrite(['/profiles']);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const remove = () =>
    mutate(
      { method: 'DELETE', path: pathOf(['profiles', id]), ...(etag !== undefined && { ifMatch: etag }) },
      {
        onSuccess() {
          showToast('success', `Profile ${id} was deleted.`);
          navigate('/profiles');
        },
        onError: ({ message }) => showToast('danger', message),
      },
    );
  return (
    <ConfirmButton
      verb="Delete"
      title={`Delete the profile ${id}?`}
      isDangerous
      isBusy={isPending}
      onConfirm={remove}
    >
      The profile is deleted permanently. To keep a copy, export it first. The running configuration does not
      change, because the profile is not active.
    </ConfirmButton>
  );
}
