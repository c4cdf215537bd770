import { useEffect, useState } from 'react';
import type { LogReply } from '../../api/observe.js';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { pathOf, request } from '../../api/request.js';
import { NO_TAIL, type Tail, withReply } from './log-lines.js';

/** Interval between reads, in milliseconds. */
const EVERY_MS = 2000;

/** Number of lines in the first read. */
const FIRST = 500;

/** Returns the path of an adapter's log. */
export function logPath(
  adapter: string,
  level: string,
  more: { readonly limit?: number; readonly after?: number } = {},
) {
  return pathOf(['console', 'log'], { adapter, level, ...more });
}

/** Reads the log of an adapter continuously, at `level` and above, until it is paused or hidden. */
export function useTail(
  adapter: string,
  level: string,
  isPaused: boolean,
): { readonly tail: Tail; readonly problem: ApiProblem | undefined; readonly isFirst: boolean } {
  const key = `${adapter} ${level}`;
  const [kept, setKept] = useState<{ key: string; tail: Tail }>({ key, tail: NO_TAIL });
  const [problem, setProblem] = useState<ApiProblem>();
  const tail = kept.key === key ? kept.tail : NO_TAIL;
  const { next } = tail;
  useEffect(() => {
    if (isPaused && next !== undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      const path = logPath(
        adapter,
        level,
        next === undefined ? { limit: FIRST } : { after: next, limit: FIRST },
      );
      try {
        const { data } = await request<LogReply>({ path, signal: stop.signal });
        setProblem(undefined);
        setKept((before) => ({ key, tail: withReply(before.key === key ? before.tail : NO_TAIL, data) }));
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemOf(error));
      }
    };
    if (next === undefined) void read();
    const timer = window.setInterval(() => void read(), EVERY_MS);
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [adapter, level, key, next, isPaused]);
  return { tail, problem, isFirst: next === undefined };
}
