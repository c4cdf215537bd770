import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { type ApiRequest, request } from '../../api/request.js';
import type { ConnectionTest } from './connection-test.js';

/** A connection test of the page. */
export interface ConnectionTestState {
  readonly isRunning: boolean;
  readonly result: ConnectionTest | undefined;
  /** Why the server did not run the test. */
  readonly problem: ApiProblem | undefined;
  /** Starts a test; a running test is canceled. */
  readonly start: (wanted: ApiRequest) => void;
  readonly cancel: () => void;
  /** Forgets the result of the last test. */
  readonly reset: () => void;
}

type Outcome = Pick<ConnectionTestState, 'isRunning' | 'result' | 'problem'>;

const IDLE: Outcome = { isRunning: false, result: undefined, problem: undefined };

/** Runs connection tests, one at a time. The server ends a test when the page cancels it, or is left. */
export function useConnectionTest(): ConnectionTestState {
  const [outcome, setOutcome] = useState(IDLE);
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setOutcome((current) => ({ ...current, isRunning: false }));
  }, []);
  const reset = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setOutcome(IDLE);
  }, []);
  const start = useCallback((wanted: ApiRequest) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const finish = (next: Partial<Outcome>) => {
      if (running.current === controller) setOutcome({ ...IDLE, ...next });
    };
    setOutcome({ ...IDLE, isRunning: true });
    request<ConnectionTest>({ ...wanted, signal: controller.signal }).then(
      ({ data }) => finish({ result: data }),
      (error: unknown) => finish({ problem: problemOf(error) }),
    );
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { ...outcome, start, cancel, reset };
}
