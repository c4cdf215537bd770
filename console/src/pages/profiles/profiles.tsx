import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { StatusLabel, Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { ImportProfile } from './import-profile.js';
import { NewProfile } from './new-profile.js';
import { effectiveMembers, type ListedProfile } from './profile.js';

/** Path of all profiles. A server has only a few profiles. */
export const PROFILES_PATH = '/profiles?limit=1000';

/** Renders the list of profiles with the active one marked. */
export function Profiles(): ReactNode {
  const { may } = useSession();
  const profiles = useRead<{ readonly results: readonly ListedProfile[] }>(PROFILES_PATH);
  const actions = (
    <>
      {may('createProfile') && <NewProfile />}
      {may('importProfile') && <ImportProfile />}
    </>
  );
  return (
    <Page
      title="Profiles"
      lead="Named sets of settings. At most one profile is active; its settings override the configuration files."
      actions={
        <>
          {actions}
          <RawLinks path={PROFILES_PATH} />
        </>
      }
    >
      <Read query={profiles} what="the profiles">
        {({ results }) => (
          <DataTable
            label="Profiles"
            columns={COLUMNS}
            rows={results}
            keyOf={({ profile }) => profile.id}
            sort="name"
            empty={
              <Empty title="No profiles" actions={actions}>
                Only the configuration files apply. Create a profile for settings that apply at times, for
                example in a maintenance window or a lab.
              </Empty>
            }
          />
        )}
      </Read>
    </Page>
  );
}

const COLUMNS: readonly Column<ListedProfile>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ profile }) => <Link to={pathOf(['profiles', profile.id])}>{profile.id}</Link>,
    sortBy: ({ profile }) => profile.id,
    text: ({ profile }) => profile.id,
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ metadata }) => <ProfileState metadata={metadata} />,
    sortBy: ({ metadata }) => (metadata.isActive ? 0 : 1),
  },
  {
    key: 'description',
    title: 'Description',
    cell: ({ profile }) => profile.description ?? '',
    sortBy: ({ profile }) => profile.description ?? '',
    text: ({ profile }) => profile.description ?? '',
  },
  {
    key: 'adapters',
    title: 'Adapters',
    cell: ({ profile: { services = [] } }) => (services.length === 0 ? 'all' : services.join(', ')),
    text: ({ profile: { services = [] } }) => services.join(' '),
  },
  {
    key: 'says',
    title: 'Overrides',
    cell: ({ profile }) => <Overrides profile={profile} />,
    text: ({ profile }) => effectiveMembers(profile).join(' '),
  },
];

function Overrides({ profile }: Pick<ListedProfile, 'profile'>): ReactNode {
  const names = effectiveMembers(profile).filter((name) => name !== 'services');
  if (names.length === 0) return <span className="gh-quiet">none</span>;
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
  if (!metadata.isActive) return <StatusLabel status="off">inactive</StatusLabel>;
  if (metadata.activeSync) return <StatusLabel status="good">active</StatusLabel>;
  return <StatusLabel status="warning">active, not yet applied</StatusLabel>;
}
