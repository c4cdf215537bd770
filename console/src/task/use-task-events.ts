import { useEffect, useRef, useState } from 'react';
import { listenToEvents } from '../api/event-stream.js';
import { tryConnection } from '../api/use-retry.js';
import type { Task } from './server.js';

/** State of a task as the server announces it. */
interface TaskEvent extends Pick<Task, 'revision' | 'status' | 'lastUpdated' | 'lastUpdatedByName'> {
  /** Names of the other people who have the task open. */
  readonly people: readonly string[];
  /** End of the token that receives the events. RFC 3339. */
  readonly tokenEnds: string | null;
}

/** Polling interval while no events arrive, in milliseconds. */
const POLL_MS = 30_000;

/**
 * Returns the last event of a task. Calls `readAgain` when it may have changed without an event: while no events
 * arrive, and when the page becomes visible, because another node may have changed it.
 */
export function useTaskEvents(id: string, readAgain: () => void): TaskEvent | undefined {
  const [last, setLast] = useState<TaskEvent>();
  const [isLive, setLive] = useState(true);
  const latest = useRef(readAgain);
  latest.current = readAgain;
  useEffect(
    () =>
      listenToEvents(`/json-forms/tasks/${encodeURIComponent(id)}/events`, {
        events: { task: (data) => setLast(data as TaskEvent) },
        onState: setLive,
        onVisible: () => latest.current(),
      }),
    [id],
  );
  useEffect(() => {
    // A server that ended answers nothing: the page says so at once.
    if (!isLive) tryConnection();
    const readIfVisible = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    const timer = isLive ? undefined : window.setInterval(readIfVisible, POLL_MS);
    return () => window.clearInterval(timer);
  }, [isLive]);
  return last;
}
