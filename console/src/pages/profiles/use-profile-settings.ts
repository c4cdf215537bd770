import { useMemo } from 'react';
import type { OverviewReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import type { SettingsKind } from '../configure/settings-kind.js';
import { type OfferedNames, profileSettings } from './profile-settings.js';

/** Roles that operations require without a setting. */
const ROLES = ['admin', 'engineering', 'viewer'] as const;

/**
 * Returns how the editor shows a profile, with the names of adapters and roles that its fields offer; undefined until
 * they are read.
 */
export function useProfileSettings(): SettingsKind | undefined {
  const { may } = useSession();
  const overview = useRead<OverviewReply>('/console/overview', { enabled: may('getOverview') });
  const names: OfferedNames = {
    adapters: overview.data?.adapters.map(({ name }) => name) ?? [],
    roles: ROLES,
  };
  // The reply changes often, but its names seldom change: a new object opens the form again.
  const key = JSON.stringify(names);
  const kind = useMemo(() => profileSettings(names), [key]);
  return overview.isLoading ? undefined : kind;
}
