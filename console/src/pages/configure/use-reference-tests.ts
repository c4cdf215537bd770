import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';

/** Result of testing one reference; `running` and `waiting` until there is one. */
export type ReferenceResult =
  | { readonly kind: 'waiting' | 'running' | 'ok' }
  | { readonly kind: 'missing'; readonly cause: string | null; readonly fix: string | null }
  | { readonly kind: 'refused'; readonly problem: ApiProblem };

interface TestReply {
  readonly ok: boolean;
  readonly cause: string | null;
  readonly fix: string | null;
}

interface ReferenceTests {
  readonly isRunning: boolean;
  /** Results by reference. */
  readonly results: ReadonlyMap<string, ReferenceResult>;
  /** Tests references for an adapter, one after the other; a running test is canceled. */
  readonly start: (references: readonly string[], adapter: string) => void;
}

/** The server allows one test per second. */
const PAUSE_MS = 1_100;
/** Maximum number of attempts for a reference that the server refuses because another test was a moment ago. */
const MAX_ATTEMPTS = 4;

/** Tests references, and keeps their results. */
export function useReferenceTests(): ReferenceTests {
  const [isRunning, setRunning] = useState(false);
  const [results, setResults] = useState<ReadonlyMap<string, ReferenceResult>>(new Map());
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback((references: readonly string[], adapter: string) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setRunning(true);
    setResults(new Map(references.map((reference) => [reference, { kind: 'waiting' }])));
    const show = (reference: string, result: ReferenceResult) => {
      if (!signal.aborted) setResults((current) => new Map(current).set(reference, result));
    };
    const run = async () => {
      for (const [at, reference] of references.entries()) {
        if (at > 0) await pause(signal);
        if (signal.aborted) return;
        show(reference, { kind: 'running' });
        show(reference, await testOne({ reference, adapter, signal }));
      }
      if (!signal.aborted) setRunning(false);
    };
    void run();
  }, []);
  return { isRunning, results, start };
}

interface TestTerms {
  readonly reference: string;
  readonly adapter: string;
  readonly signal: AbortSignal;
}

async function testOne({ reference, adapter, signal }: TestTerms): Promise<ReferenceResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { data } = await request<TestReply>({
        method: 'POST',
        path: '/console/secrets/test',
        body: { reference, adapter },
        signal,
      });
      return data.ok ? { kind: 'ok' } : { kind: 'missing', cause: data.cause, fix: data.fix };
    } catch (error) {
      const problem = problemOf(error);
      const mayRepeat = problem.code === 'too_many_requests' && attempt < MAX_ATTEMPTS && !signal.aborted;
      if (!mayRepeat) return { kind: 'refused', problem };
      await pause(signal);
    }
  }
}

/** Waits until the server allows the next test, or until the signal fires. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
