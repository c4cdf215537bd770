import { useState } from 'react';
import { type ApiResponse, exchange, type ApiExchange } from '../../api/api-exchange.js';
import { type ApiProblem, problemOf } from '../../api/problem.js';

export interface Exchanges {
  readonly answer: ApiResponse | undefined;
  /** Why there is no response. */
  readonly problem: ApiProblem | undefined;
  readonly isBusy: boolean;
  readonly send: (wanted: ApiExchange) => Promise<void>;
}

/** Sends requests and keeps the latest response. */
export function useExchange(): Exchanges {
  const [answer, setAnswer] = useState<ApiResponse>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  const send = async (wanted: ApiExchange) => {
    setBusy(true);
    setProblem(undefined);
    setAnswer(undefined);
    try {
      setAnswer(await exchange(wanted));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { answer, problem, isBusy, send };
}
