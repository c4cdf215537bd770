import { useRef, useState } from 'react';
import { type ApiProblem, problemOf } from './problem.js';

/** Work with requests, one at a time. */
interface Operation {
  /** Text of the running operation; `undefined` if none runs. */
  readonly progress: string | undefined;
  readonly isBusy: boolean;
  /** Why the last operation failed. */
  readonly problem: ApiProblem | undefined;
  readonly clearProblem: () => void;
  readonly run: (work: () => Promise<void>, progress?: string) => Promise<void>;
}

/** Returns a function that runs an operation, unless another one runs, and the progress and problem of the last operation. */
export function useOperation(onProblem?: (problem: ApiProblem) => Promise<void> | void): Operation {
  const [progress, setProgress] = useState<string>();
  const [problem, setProblem] = useState<ApiProblem>();
  const isRunning = useRef(false);
  const run: Operation['run'] = async (work, label = '') => {
    // Two events may come before the page is rendered again.
    if (isRunning.current) return;
    isRunning.current = true;
    setProgress(label);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const problemFound = problemOf(error);
      setProblem(problemFound);
      try {
        await onProblem?.(problemFound);
      } catch (followUpError) {
        setProblem(problemOf(followUpError));
      }
    } finally {
      isRunning.current = false;
      setProgress(undefined);
    }
  };
  return {
    progress,
    isBusy: progress !== undefined,
    problem,
    clearProblem: () => setProblem(undefined),
    run,
  };
}
