import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { DiffView } from '../../kit/diff-view.js';
import { Empty, Read } from '../../kit/feedback.js';
import { SelectField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { ImpactOf } from './impact-view.js';
import type { ListedProfile, Profile } from './profile.js';
import { PROFILES_PATH } from './profiles.js';

const text = textOf('profiles');

interface CompareProps {
  readonly listed: ListedProfile;
}

/** Shows what activating the profile changes, and compares it with the active profile or another one. */
export function CompareProfiles({ listed }: CompareProps): ReactNode {
  const { may } = useSession();
  const all = useRead<{ readonly results: readonly ListedProfile[] }>(PROFILES_PATH);
  const { metadata, profile } = listed;
  return (
    <>
      {may('getProfileImpact') && !metadata.isActive && (
        <Panel title={text('impact')}>
          <ImpactOf id={profile.id} />
        </Panel>
      )}
      <Read query={all} what={text('others')}>
        {({ results }) => (
          <Compare listed={listed} others={results.filter((one) => !isSameProfile(one, listed))} />
        )}
      </Read>
    </>
  );
}

function isSameProfile(one: ListedProfile, other: ListedProfile): boolean {
  return one.profile.id === other.profile.id;
}

/** Returns the name of a profile with its state. */
function nameOf({ metadata, profile: { id } }: ListedProfile): string {
  return metadata.isActive ? text('compareWith.active', { id }) : id;
}

/** Returns the members of a profile without those that every record has. */
function comparedMembers(profile: Profile): object {
  return Object.fromEntries(Object.entries(profile).filter(([name]) => name !== '_id'));
}

function Compare({
  listed: { profile },
  others,
}: CompareProps & { readonly others: readonly ListedProfile[] }): ReactNode {
  const active = others.find(({ metadata }) => metadata.isActive)?.profile.id ?? '';
  const [url, setUrl] = useUrlState({ with: active });
  const other = others.find((one) => one.profile.id === url.with);
  if (others.length === 0) return <Empty title={text('others.none')}>{text('others.none.help')}</Empty>;
  return (
    <Panel title={text('comparison')}>
      <div className="gh-stack">
        <SelectField
          label={text('compareWith')}
          value={url.with}
          onChange={(next) => setUrl({ with: next })}
          options={[
            ...(active === '' ? [{ value: '', label: text('compareWith.choose') }] : []),
            ...others.map((one) => ({
              value: one.profile.id,
              label: nameOf(one),
            })),
          ]}
        />
        {other ? (
          <DiffView
            before={comparedMembers(other.profile)}
            after={comparedMembers(profile)}
            labels={[nameOf(other), profile.id]}
          />
        ) : (
          <p className="gh-quiet">{text('noneActive')}</p>
        )}
      </div>
    </Panel>
  );
}
