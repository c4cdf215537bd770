import { parentPort, workerData } from 'node:worker_threads';
import { type CompileJob, runJob } from './compile-job.js';

// Runs one compilation in a worker thread, and posts the result.
// The result is a text, because a tree of a hundred thousand objects takes longer to pass to another thread.
parentPort?.postMessage(JSON.stringify(runJob(workerData as CompileJob)));
