import { Writable } from 'node:stream';

interface CollectingStream {
  readonly stream: Writable;
  /** The lines written so far, without their line feeds. */
  readonly lines: () => readonly string[];
}

/** Creates a stream that collects everything written to it. */
export function collectingStream(): CollectingStream {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, next) => {
      chunks.push(chunk);
      next();
    },
  });
  const lines = (): readonly string[] => Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  return { stream, lines };
}
