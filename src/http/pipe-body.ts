import type { Socket } from 'node:net';
import type { ByteStream } from '../core/stream.js';

/** How the pouring of one stream into another ended: with the source, in the middle of it, or with the sink. */
export type PipeOutcome = 'whole' | 'broken' | 'left';

/** What is poured into. */
export interface BodyWriter extends NodeJS.WritableStream {
  readonly destroyed: boolean;
}

export interface PipeOptions {
  /** Told the size of every piece. */
  readonly count: (bytes: number) => void;
  /** The connection that ends when nothing of what waits is taken for so long; absent: somebody else looks after it. */
  readonly stall?: { readonly socket: Socket; readonly ms: number };
}

/** Passes bytes on as they come, no faster than they are taken. Ends neither of the two. */
export function pipeBody(
  source: ByteStream,
  sink: BodyWriter,
  { count, stall }: PipeOptions,
): Promise<PipeOutcome> {
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      count(chunk.length);
      if (sink.write(chunk)) return;
      source.pause();
      // Node restarts this clock with every bit of progress.
      stall?.socket.setTimeout(stall.ms);
    };
    const goOn = (): void => {
      stall?.socket.setTimeout(0);
      source.resume();
    };
    const end = (): void => {
      settle('whole');
    };
    const breakOff = (): void => {
      settle('broken');
    };
    const leave = (): void => {
      settle('left');
    };
    const giveUp = (): void => {
      stall?.socket.destroy();
    };
    function settle(ending: PipeOutcome): void {
      source.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
      sink.off('drain', goOn).off('close', leave);
      stall?.socket.off('timeout', giveUp).setTimeout(0);
      resolve(ending);
    }
    stall?.socket.on('timeout', giveUp);
    sink.on('drain', goOn).on('close', leave);
    source.on('end', end).on('error', breakOff).on('close', breakOff);
    if (sink.destroyed) leave();
    else if (source.destroyed) breakOff();
    else source.on('data', take).resume();
  });
}
