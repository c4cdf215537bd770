import { parentPort, workerData } from 'node:worker_threads';
import { type CompileJob, runJob } from './compile-job.js';

// The thread of one compilation: takes its job, answers, and ends.
const result = runJob(workerData as CompileJob);
parentPort?.postMessage({ result, characters: JSON.stringify(result).length });
