import { threadId } from 'node:worker_threads';
import { serveThread } from '../../src/lib/thread-pool.js';

/** A task of the thread that tests of the thread pool run. */
export type ThreadTask =
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'threadId' | 'environment' | 'loop' | 'allocate' | 'exit' };

serveThread((task: ThreadTask): unknown => {
  switch (task.kind) {
    case 'double':
      return 2 * task.value;
    case 'threadId':
      return threadId;
    case 'environment':
      return Object.keys(process.env);
    case 'loop':
      for (;;) Math.random();
    case 'allocate': {
      const held: object[] = [];
      for (;;) held.push(Array.from({ length: 1000 }, Math.random));
    }
    case 'exit':
      return process.exit(1);
  }
});
