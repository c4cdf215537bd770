import { keepOutput } from './leak-scan.js';

// Loaded by every process of a swept run, before anything else: what tests read from a pipe is kept as well.
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]): boolean => {
    const [chunk] = args;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) keepOutput(name, chunk);
    return write(...args);
  };
}
