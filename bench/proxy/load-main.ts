import { closedLoop } from './closed-loop.js';
import type { Job } from './job.js';
import { openLoop } from './open-loop.js';

// The load maker, a process of its own that is kept to the processor of the upstream: a job comes in, its outcome goes out.
process.once('message', (job: Job) => {
  const { rate } = job;
  void (rate === undefined ? closedLoop(job) : openLoop({ ...job, rate })).then((outcome) => {
    process.send?.(outcome, () => {
      process.exit();
    });
  });
});
