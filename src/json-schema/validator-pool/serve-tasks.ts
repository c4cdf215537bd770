import { parentPort, workerData } from 'node:worker_threads';
import type { SchemaEngine } from '../../core/schema-engine.js';
import { createCompiler } from './compile.js';
import { performTask } from './run-task.js';
import { READY, type Task, type WorkerSettings } from './task.js';

/**
 * Runs the tasks of a worker thread with an engine. Tasks arrive one at a time, and each is answered before
 * the next.
 */
export function serveTasks(engine: SchemaEngine): void {
  const compiler = createCompiler(engine, (workerData as WorkerSettings).registry);
  parentPort?.on('message', (task: Task) => {
    parentPort?.postMessage(performTask(task, compiler));
  });
  parentPort?.postMessage(READY);
}
