import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../../api/problem.js';
import { type ApiRequest, request } from '../../api/request.js';
import { pathsOf, rememberPath } from './try-paths.js';
import type { TryResult } from './try-reply.js';

interface TryRequests {
  readonly result: TryResult | undefined;
  readonly isBusy: boolean;
  /** Paths of earlier requests of this user through the adapter, newest first. */
  readonly paths: readonly string[];
  /** Sends a request; `path` is the path at the orchestrator to remember. */
  readonly send: (wanted: ApiRequest, path?: string) => Promise<void>;
  readonly cancel: () => void;
}

/** Sends requests through an adapter, one at a time; cancels a request when the tab is closed. */
export function useTryRequest(adapter: string, user: string): TryRequests {
  const [result, setResult] = useState<TryResult>();
  const [isBusy, setBusy] = useState(false);
  const [paths, setPaths] = useState(() => pathsOf(window.sessionStorage, { user, adapter }));
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (wanted: ApiRequest, path?: string) => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    const begin = performance.now();
    const elapsed = () => performance.now() - begin;
    try {
      const { text, requestId } = await request({ ...wanted, signal: controller.signal });
      setResult({ ms: elapsed(), text, requestId });
      if (path !== undefined) setPaths(rememberPath(window.sessionStorage, { user, adapter }, path));
    } catch (error) {
      if (controller.signal.aborted) setResult({ ms: elapsed(), isCanceled: true });
      else setResult({ ms: elapsed(), problem: problemOf(error) });
    }
    setBusy(false);
  };
  return { result, isBusy, paths, send, cancel: () => running.current?.abort() };
}
