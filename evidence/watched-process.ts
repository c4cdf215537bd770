import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A process that is observed until its end. */
export interface WatchedProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Returns the standard output so far. */
  readonly out: () => string;
  /**
   * Resolves to the first group of a pattern once matching output was written; resolves to undefined if
   * the process ends first.
   */
  readonly said: (pattern: RegExp) => Promise<string | undefined>;
  /**
   * Resolves at the end of the process to the faults of its exit: an exit code needs a message, and no error
   * may be uncaught.
   */
  readonly ended: Promise<readonly string[]>;
}

interface WatchOptions {
  /** Variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Time limit in milliseconds; only a hanging process reaches it and is killed. */
  readonly patienceMs: number;
}

/** Starts a command. */
export function watchProcess(words: readonly string[], { env, patienceMs }: WatchOptions): WatchedProcess {
  const [command = '', ...args] = words;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const ended = endOf(child, { err, patienceMs });
  const said = (pattern: RegExp): Promise<string | undefined> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [, found] = pattern.exec(out()) ?? [];
        if (found !== undefined) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      void ended.then(() => {
        resolve(undefined);
      });
    });
  return { child, out, said, ended };
}

/** Returns the arguments that run one of our scripts. */
export function script(url: URL, ...args: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(url), ...args];
}

async function endOf(
  child: WatchedProcess['child'],
  { err, patienceMs }: { readonly err: () => string; readonly patienceMs: number },
): Promise<readonly string[]> {
  const hung = new AbortController();
  const timer = setTimeout(() => {
    hung.abort();
    child.kill('SIGKILL');
  }, patienceMs);
  await once(child, 'close');
  clearTimeout(timer);
  const { exitCode, signalCode } = child;
  if (hung.signal.aborted) return ['it hangs'];
  if (signalCode !== null) return [`it was ended by ${signalCode}: ${err().slice(0, 400)}`];
  if (/^\s+at .+:\d+:\d+\)?$/m.test(err())) return [`an uncaught error: ${err().slice(0, 400)}`];
  return exitCode !== 0 && err().trim() === '' ? [`it ended with ${exitCode ?? ''} and not a word`] : [];
}

function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
