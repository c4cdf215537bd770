import { useEffect, useState } from 'react';
import type { LogReply } from '../../api/observe.js';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { pathOf, request } from '../../api/request.js';
import { EMPTY_TAIL, type LogTail, withReply } from './log-lines.js';

/** Interval between reads, in milliseconds. */
const READ_INTERVAL_MS = 2000;

/** Number of lines in the first read: at least those that the server keeps of a log. */
const MAX_LINES_PER_READ = 1_000;

/** Returns the path of an adapter's log, or of the log of the server. */
export function logPath(
  adapter: string | undefined,
  level: string,
  more: { readonly limit?: number; readonly after?: number } = {},
) {
  return pathOf(['console', 'log'], { ...(adapter !== undefined && { adapter }), level, ...more });
}

/** Reads the log of an adapter or of the server continuously, at `level` and above, until the log is paused or hidden. */
export function useTail(
  adapter: string | undefined,
  level: string,
  isPaused: boolean,
): { readonly tail: LogTail; readonly problem: ApiProblem | undefined; readonly isFirst: boolean } {
  const key = `${adapter ?? ''} ${level}`;
  const [current, setCurrent] = useState<{ key: string; tail: LogTail }>({ key, tail: EMPTY_TAIL });
  const [problem, setProblem] = useState<ApiProblem>();
  const tail = current.key === key ? current.tail : EMPTY_TAIL;
  const { next } = tail;
  useEffect(() => {
    if (isPaused && next !== undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      const path = logPath(
        adapter,
        level,
        next === undefined ? { limit: MAX_LINES_PER_READ } : { after: next, limit: MAX_LINES_PER_READ },
      );
      try {
        const { data } = await request<LogReply>({ path, signal: stop.signal });
        setProblem(undefined);
        setCurrent((before) => ({
          key,
          tail: withReply(before.key === key ? before.tail : EMPTY_TAIL, data),
        }));
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemOf(error));
      }
    };
    if (next === undefined) void read();
    const timer = window.setInterval(() => void read(), READ_INTERVAL_MS);
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [adapter, level, key, next, isPaused]);
  return { tail, problem, isFirst: next === undefined };
}
