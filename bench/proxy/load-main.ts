import { closedLoop } from './closed-loop.js';
import type { Job } from './job.js';
import { openLoop } from './open-loop.js';

// The load generator, a separate process on the processor of the upstream: receives a job and sends its
// outcome.
process.once('message', (job: Job) => {
  const { rate } = job;
  void (rate === undefined ? closedLoop(job) : openLoop({ ...job, rate })).then((outcome) => {
    process.send?.(outcome, () => {
      process.exit();
    });
  });
});
