import { type ApplicationInstance, NO_OVERRIDES } from '../../core/component.js';
import type { SnapshotInput } from './snapshot-input.js';

/** The applications of this process; one that is as it was before keeps its time. */
export function nextApplications({
  previous,
  desired,
  rooms,
  clock,
}: SnapshotInput): ReadonlyMap<string, ApplicationInstance> {
  const now = clock.now();
  return new Map(
    rooms.applicationNames.map((name) => {
      const { wanted, restarts } = desired.state.overrides.application.get(name) ?? NO_OVERRIDES;
      const next = {
        name,
        state: wanted === 'running' ? 'RUNNING' : 'STOPPED',
        restarts,
        since: now,
      } as const;
      const before = previous?.applications.get(name);
      const isAsBefore = before?.state === next.state && before.restarts === restarts;
      return [name, isAsBefore ? before : next];
    }),
  );
}
