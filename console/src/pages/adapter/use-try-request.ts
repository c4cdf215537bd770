import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { pathsOf, rememberPath } from './try-paths.js';
import type { TryResult } from './try-reply.js';
import { requestOf, type TestRequest } from './try-request.js';

interface TryRequests {
  readonly result: TryResult | undefined;
  readonly isBusy: boolean;
  /** Paths of earlier requests of this user through the adapter, newest first. */
  readonly paths: readonly string[];
  readonly send: (draft: TestRequest) => Promise<void>;
  readonly cancel: () => void;
}

/** Sends requests through an adapter, one at a time; cancels a request when the tab is closed. */
export function useTryRequest(adapter: string, user: string): TryRequests {
  const [result, setResult] = useState<TryResult>();
  const [isBusy, setBusy] = useState(false);
  const [paths, setPaths] = useState(() => pathsOf(window.sessionStorage, { user, adapter }));
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (draft: TestRequest) => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    const begin = performance.now();
    const elapsed = () => performance.now() - begin;
    try {
      const { text, requestId } = await request({ ...requestOf(adapter, draft), signal: controller.signal });
      setResult({ ms: elapsed(), text, requestId });
      setPaths(rememberPath(window.sessionStorage, { user, adapter }, draft.path));
    } catch (error) {
      if (controller.signal.aborted) setResult({ ms: elapsed(), isCanceled: true });
      else setResult({ ms: elapsed(), problem: problemOf(error) });
    }
    setBusy(false);
  };
  return { result, isBusy, paths, send, cancel: () => running.current?.abort() };
}
