import type { ReactNode } from 'react';
import type { OverviewReply } from '../../api/observe.js';
import { PendingChangeNotice } from './pending-change.js';

/** Shows all changes that wait for their confirmation. */
export function PendingChanges({ server, adapters }: Pick<OverviewReply, 'server' | 'adapters'>): ReactNode {
  return (
    <>
      {server.pendingProfiles.map(({ profile, ...pending }) => (
        <PendingChangeNotice key={profile} record={{ kind: 'profile', name: profile }} pending={pending} />
      ))}
      {adapters.map(
        ({ name, pending }) =>
          pending && <PendingChangeNotice key={name} record={{ kind: 'adapter', name }} pending={pending} />,
      )}
    </>
  );
}
