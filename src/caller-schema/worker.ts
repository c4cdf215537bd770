import { parentPort, workerData } from 'node:worker_threads';
import { createCompiler } from './compile.js';
import { performTask } from './perform-task.js';
import { READY, type Task, type WorkerSettings } from './task.js';

// Runs in a thread of its own. Tasks come one at a time, and each is answered before the next.
const compiler = createCompiler((workerData as WorkerSettings).registry);
parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(performTask(task, compiler));
});
parentPort?.postMessage(READY);
