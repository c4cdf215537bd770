import { spawnSync } from 'node:child_process';
import { basename, relative } from 'node:path';

/** Compilers that judge modules beside ours. */
export type Judge = 'libyang' | 'pyang';

/** What a compiler says against a module; undefined if it accepts the module. */
export type Complaint = string | undefined;

/** Returns what a judge says against each of the files, with the imports of the folders. The files are in the first folder. */
type AskJudge = (
  files: readonly string[],
  folders: readonly [string, ...string[]],
) => ReadonlyMap<string, Complaint>;

/** Program of pyang: `PYANG`, or `pyang` in PATH. Undefined if it is not installed. */
export const PYANG = [process.env['PYANG'] ?? 'pyang'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);

/** yanglint accepts some modules only if it implements the modules that they refer to, or all. */
const IMPLEMENTED = [[], ['-i'], ['-i', '-i']] as const;

/** Asks yanglint about each file by itself. */
export const askLibyang: AskJudge = (files, folders) => {
  const path = folders.flatMap((folder) => ['-p', folder]);
  return new Map(
    files.map((file) => {
      let complaint: Complaint;
      for (const implement of IMPLEMENTED) {
        complaint = firstLineOf('yanglint', [...implement, ...path, relative(folders[0], file)], folders[0]);
        if (complaint === undefined) break;
      }
      return [file, complaint];
    }),
  );
};

/** Maximum number of files in one process of pyang, which reads each import once. */
const BATCH_SIZE = 40;

/** Asks pyang about batches of files. Halves a batch with an error, so that each refused file is asked about by itself. */
export const askPyang: AskJudge = (files, folders) => {
  const program = PYANG;
  const complaints = new Map<string, Complaint>();
  if (program === undefined) return complaints;
  const path = ['-p', folders.join(':')];
  const ask = (batch: readonly string[]): void => {
    const complaint = firstLineOf(program, [...path, ...batch], folders[0]);
    const middle = Math.ceil(batch.length / 2);
    if (complaint === undefined || batch.length === 1)
      for (const file of batch) complaints.set(file, complaint);
    else for (const half of [batch.slice(0, middle), batch.slice(middle)]) ask(half);
  };
  for (const batch of batchesOf(files)) ask(batch);
  return complaints;
};

/** Returns batches without two revisions of a module, which pyang would read together. */
function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  const names = new Map<string[], Set<string>>();
  for (const file of files) {
    const name = basename(file).replace(/(?:@.*)?\.yang$/, '');
    let batch = batches.find((one) => one.length < BATCH_SIZE && names.get(one)?.has(name) === false);
    if (!batch) batches.push((batch = []));
    batch.push(file);
    names.set(batch, (names.get(batch) ?? new Set()).add(name));
  }
  return batches;
}

/** Returns the first error that a program prints; undefined if it succeeds. */
function firstLineOf(program: string, args: readonly string[], cwd: string): Complaint {
  const { status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return undefined;
  if (signal) return `it crashes (${signal})`;
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /\berr(?:or)?\b/i.test(line)) ?? lines[0] ?? 'refused';
}
