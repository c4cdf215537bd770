import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { DataTable } from '../../kit/data-table.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Empty, Read } from '../../kit/feedback.js';
import { ImportDialog } from '../../kit/import-dialog.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { StatusLabel, Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { RemovedRecords } from '../history/removed-records.js';
import { effectiveMembers, type ListedProfile, NEW_PROFILE_PATH } from './profile.js';

const text = textOf('profiles');

/** Path of all profiles. A server has only a few profiles. */
export const PROFILES_PATH = '/profiles?limit=1000';

/** Renders the list of profiles with the active one marked. */
export function Profiles(): ReactNode {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const showToast = useToast();
  const profiles = useRead<{ readonly results: readonly ListedProfile[] }>(PROFILES_PATH);
  const importing = may('importProfile') && (
    <DialogButton verb={text('import')}>
      {(close) => (
        <ImportDialog
          area="profiles"
          path="/profiles/import"
          affects={['/profiles']}
          onDone={(_reply, { id }) => {
            showToast('success', text('imported', { id: String(id) }));
            navigate(pathOf(['profiles', String(id)]));
          }}
          onClose={close}
        />
      )}
    </DialogButton>
  );
  const creating = may('createProfile') && (
    <Button kind="primary" onPress={() => navigate(NEW_PROFILE_PATH)}>
      {text('new')}
    </Button>
  );
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={importing}
      primary={creating}
      source={{ path: PROFILES_PATH }}
    >
      <Read query={profiles} what={text('what')}>
        {({ results }) => (
          <DataTable
            label={text('title')}
            columns={columns()}
            rows={results}
            keyOf={({ profile }) => profile.id}
            sort="name"
            empty={
              <Empty
                title={text('none')}
                actions={
                  <>
                    {importing}
                    {creating}
                  </>
                }
              >
                {text('none.help')}
              </Empty>
            }
          />
        )}
      </Read>
      <RemovedRecords kind="profile" />
    </Page>
  );
}

/** Returns the columns of the list. */
const columns = (): readonly Column<ListedProfile>[] => [
  {
    key: 'name',
    title: text('name'),
    cell: ({ profile }) => <Link to={pathOf(['profiles', profile.id])}>{profile.id}</Link>,
    sortBy: ({ profile }) => profile.id,
    text: ({ profile }) => profile.id,
  },
  {
    key: 'state',
    card: 'end',
    title: text('state'),
    cell: ({ metadata }) => <ProfileState metadata={metadata} />,
    sortBy: ({ metadata }) => (metadata.isActive ? 0 : 1),
  },
  {
    key: 'description',
    card: 'line',
    title: text('description'),
    cell: ({ profile }) => profile.description ?? '',
    sortBy: ({ profile }) => profile.description ?? '',
    text: ({ profile }) => profile.description ?? '',
  },
  {
    key: 'adapters',
    title: text('adapters'),
    cell: ({ profile: { services = [] } }) =>
      services.length === 0 ? text('adapters.all') : services.join(', '),
    text: ({ profile: { services = [] } }) => services.join(' '),
  },
  {
    key: 'says',
    title: text('overrides'),
    cell: ({ profile }) => <Overrides profile={profile} />,
    text: ({ profile }) => effectiveMembers(profile).join(' '),
  },
];

function Overrides({ profile }: Pick<ListedProfile, 'profile'>): ReactNode {
  const names = effectiveMembers(profile).filter((name) => name !== 'services');
  if (names.length === 0) return <span className="gh-quiet">{text('overrides.none')}</span>;
  return (
    <ul className="gh-inline-list">
      {names.map((name) => (
        <li key={name}>
          <Tag>{name}</Tag>
        </li>
      ))}
    </ul>
  );
}

/** Renders the state of a profile as a label. */
export function ProfileState({ metadata }: Pick<ListedProfile, 'metadata'>): ReactNode {
  if (!metadata.isActive) return <StatusLabel status="off">{text('inactive')}</StatusLabel>;
  if (metadata.activeSync) return <StatusLabel status="good">{text('active')}</StatusLabel>;
  return <StatusLabel status="warning">{text('notApplied')}</StatusLabel>;
}
