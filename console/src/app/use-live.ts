import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listenToServer } from '../api/event-stream.js';
import { invalidate } from '../api/queries.js';
import { isSessionEnded } from '../api/session.js';
import { useSession } from './session.js';
import { PATHS_BY_TOPIC } from './topic-paths.js';

/** Interval between reads of everything while there are no events, in milliseconds. */
const POLL_MS = 5000;

/**
 * Keeps the shown data current: by the server's events, or by polling while there are none. Returns true
 * while events arrive.
 */
export function useLive(): boolean {
  const client = useQueryClient();
  const mayListen = useSession().may('getEvents');
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (!mayListen) return undefined;
    return listenToServer({
      onState: setLive,
      onVisible: () => void (isSessionEnded() || invalidate(client, Object.values(PATHS_BY_TOPIC).flat())),
      onChange: (topics) =>
        void invalidate(
          client,
          topics.flatMap((topic) => PATHS_BY_TOPIC[topic] ?? []),
        ),
      onTraffic: (traffic) => client.setQueryData(['/console/events/traffic'], traffic),
    });
  }, [client, mayListen]);
  useEffect(() => {
    if (isLive) return undefined;
    const timer = window.setInterval(
      () => void (isSessionEnded() || invalidate(client, Object.values(PATHS_BY_TOPIC).flat())),
      POLL_MS,
    );
    return () => window.clearInterval(timer);
  }, [client, isLive]);
  return isLive;
}
