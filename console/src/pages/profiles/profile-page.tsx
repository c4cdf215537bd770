import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useReadReply } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { CodeView } from '../../kit/copy.js';
import { Failure, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { Tabs } from '../../kit/tabs.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { HistoryTab } from '../history/history-tab.js';
import { PendingChangeNotice } from '../history/pending-change.js';
import { DeletedRecord } from '../history/removed-records.js';
import { ActivateProfile } from './activate-profile.js';
import { CompareProfiles } from './compare-profiles.js';
import { EditProfile, type EditProfileProps } from './edit-profile.js';
import { pendingOf } from './pending.js';
import { ProfileActions } from './profile-actions.js';
import type { ListedProfile } from './profile.js';
import { ProfileState } from './profiles.js';

const text = textOf('profiles');
const historyText = textOf('history');

/** Renders the page of a profile: its effect, its content, and its actions. */
export function ProfilePage(): ReactNode {
  const { id } = useParams<{ readonly id: string }>();
  const path = pathOf(['profiles', decodeURIComponent(id)]);
  const profile = useReadReply<ListedProfile>(path);
  if (profile.error?.status === 404)
    return (
      <Page title={decodeURIComponent(id)}>
        <DeletedRecord record={{ kind: 'profile', name: decodeURIComponent(id) }}>
          <Failure problem={profile.error} />
        </DeletedRecord>
      </Page>
    );
  return (
    <Read query={profile} what={text('one')}>
      {(reply) => (
        <LoadedProfile reply={reply} path={path} readAgain={async () => (await profile.refetch()).data} />
      )}
    </Read>
  );
}

/** Tabs that have links to their own data, so that a page has one set of them. */
const TABS_WITH_LINKS: ReadonlySet<string> = new Set(['edit', 'history']);

interface LoadedProfileProps extends EditProfileProps {
  readonly path: string;
}

function LoadedProfile({ reply, path, readAgain }: LoadedProfileProps): ReactNode {
  const { may } = useSession();
  const { metadata, profile } = reply.data;
  const record = { kind: 'profile', name: profile.id } as const;
  const pending = pendingOf(reply.data);
  const [{ tab }] = useUrlState({ tab: '' });
  const edit = {
    key: 'edit',
    title: text('edit'),
    content: <EditProfile reply={reply} readAgain={readAgain} />,
  };
  return (
    <Page
      title={profile.id}
      lead={
        <>
          <ProfileState metadata={metadata} /> {profile.description}
        </>
      }
      actions={<ProfileActions reply={reply} />}
      primary={may('switchActiveProfile') && !metadata.isActive && <ActivateProfile reply={reply} />}
      {...(!TABS_WITH_LINKS.has(tab) && { source: { path } })}
    >
      {pending && <PendingChangeNotice record={record} pending={pending} isOwnPage />}
      <Tabs
        label={text('one.label', { id: profile.id })}
        tabs={[
          { key: 'compare', title: text('compare'), content: <CompareProfiles listed={reply.data} /> },
          ...(may('updateProfile') ? [edit] : []),
          ...(may('getProfileHistory')
            ? [
                {
                  key: 'history',
                  title: historyText('tab'),
                  content: <HistoryTab record={record} etag={reply.etag} />,
                },
              ]
            : []),
          {
            key: 'json',
            title: text('json'),
            content: (
              <CodeView
                label={text('one.label', { id: profile.id })}
                text={JSON.stringify(profile, null, 2)}
              />
            ),
          },
        ]}
      />
    </Page>
  );
}
