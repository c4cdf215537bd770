import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ApiReply } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { DownloadButton } from '../../kit/download.js';
import { textOf } from '../../text/text.js';
import { DeleteProfile } from './delete-profile.js';
import { type ListedProfile, NEW_PROFILE_PATH } from './profile.js';

const text = textOf('profiles');

interface ActionsProps {
  readonly reply: ApiReply<ListedProfile>;
}

/** Renders actions on a profile, apart from its activation. */
export function ProfileActions({ reply }: ActionsProps): ReactNode {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const { metadata, profile } = reply.data;
  return (
    <>
      {may('createProfile') && (
        <Button
          onPress={() =>
            navigate(`${NEW_PROFILE_PATH}?${new URLSearchParams({ from: profile.id }).toString()}`)
          }
        >
          {text('clone')}
        </Button>
      )}
      <DownloadButton
        file={() => ({
          name: `${profile.id}.json`,
          type: 'application/json',
          text: `${JSON.stringify(profile, null, 2)}\n`,
        })}
      >
        {text('export')}
      </DownloadButton>
      {may('deleteProfile') && !metadata.isActive && <DeleteProfile reply={reply} />}
    </>
  );
}
