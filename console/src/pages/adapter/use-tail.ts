import { useEffect, useState } from 'react';
import type { LogReply } from '../../api/observe.js';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { pathOf, request } from '../../api/request.js';
import { NO_TAIL, type Tail, withReply } from './log-lines.js';

/** Time between two readings, in milliseconds. */
const EVERY_MS = 2000;

/** Lines that are asked for at first. */
const FIRST = 500;

/** The path of the log of an adapter. */
export function logPath(
  adapter: string,
  level: string,
  more: { readonly limit?: number; readonly after?: number } = {},
) {
  return pathOf(['console', 'log'], { adapter, level, ...more });
}

/** Reads the log of an adapter on and on, `level` and louder, until it is paused or no longer shown. */
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
