import { parentPort, workerData } from 'node:worker_threads';
import { type CompileJob, runJob } from './compile-job.js';

// The thread of one compilation: takes its job, answers, and ends.
// A text is handed over faster than a tree of a hundred thousand objects.
parentPort?.postMessage(JSON.stringify(runJob(workerData as CompileJob)));
