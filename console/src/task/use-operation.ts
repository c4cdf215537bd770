import { useRef, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.js';

/** A request that changes the task, one at a time. */
interface Operation {
  /** Text of the running operation. */
  readonly progress: string | undefined;
  /** Why the last operation failed. */
  readonly problem: ApiProblem | undefined;
  readonly clearProblem: () => void;
  readonly run: (progress: string, work: () => Promise<void>) => Promise<void>;
}

/** Returns a function that runs an operation, unless another one runs, and the progress and problem of the last operation. */
export function useOperation(onProblem: (problem: ApiProblem) => Promise<void>): Operation {
  const [progress, setProgress] = useState<string>();
  const [problem, setProblem] = useState<ApiProblem>();
  const isRunning = useRef(false);
  const run = async (label: string, work: () => Promise<void>) => {
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
      await onProblem(problemFound).catch((followUpError: unknown) => setProblem(problemOf(followUpError)));
    } finally {
      isRunning.current = false;
      setProgress(undefined);
    }
  };
  return { progress, problem, clearProblem: () => setProblem(undefined), run };
}
