import { keepOutput } from './leak-scan.js';

// Every process of a leak scan loads this module first; it also records the output that tests read from a
// pipe.
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]): boolean => {
    const [chunk] = args;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) keepOutput(name, chunk);
    return write(...args);
  };
}
