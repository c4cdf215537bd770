import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useReadReply } from '../../api/queries.js';
import { type ApiReply, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { CodeView, CopyAsCurl } from '../../kit/copy.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { Tabs } from '../../kit/tabs.js';
import { CompareProfiles } from './compare-profiles.js';
import { EditProfile } from './edit-profile.js';
import type { ListedProfile } from './profile.js';
import { ProfileActions } from './profile-actions.js';
import { ProfileState } from './profiles.js';

/** Renders the page of a profile: its effect, its content, and its actions. */
export function ProfilePage(): ReactNode {
  const { id } = useParams<{ readonly id: string }>();
  const path = pathOf(['profiles', decodeURIComponent(id)]);
  const profile = useReadReply<ListedProfile>(path);
  return (
    <Read query={profile} what="the profile">
      {(reply) => <LoadedProfile reply={reply} path={path} />}
    </Read>
  );
}

interface LoadedProfileProps {
  readonly reply: ApiReply<ListedProfile>;
  readonly path: string;
}

function LoadedProfile({ reply, path }: LoadedProfileProps): ReactNode {
  const { may } = useSession();
  const { metadata, profile } = reply.data;
  const edit = { key: 'edit', title: 'Edit', content: <EditProfile key={reply.etag} reply={reply} /> };
  return (
    <Page
      title={profile.id}
      lead={
        <>
          <ProfileState metadata={metadata} /> {profile.description}
        </>
      }
      actions={<ProfileActions reply={reply} />}
    >
      <Tabs
        label={`Profile ${profile.id}`}
        tabs={[
          { key: 'compare', title: 'Compare', content: <CompareProfiles listed={reply.data} /> },
          ...(may('updateProfile') ? [edit] : []),
          {
            key: 'json',
            title: 'JSON',
            content: (
              <>
                <CopyAsCurl wanted={{ path }} />
                <CodeView label={`Profile ${profile.id}`} text={JSON.stringify(profile, null, 2)} />
              </>
            ),
          },
        ]}
      />
    </Page>
  );
}
