import { join } from 'node:path';
import type { Fault } from '../../src/core/fault.js';
import { type CommandInput, runCommand } from './command-io.js';
import { temporaryFolder } from './temporary-folder.js';
import { writeFiles } from './write-files.js';

/** Configuration with a mistake: the main file, and other files by their paths beside it. */
export interface Mistake {
  readonly main?: string | Buffer;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly env?: CommandInput['env'];
  /** True to read the secrets from Vault as well. */
  readonly probe?: boolean;
}

/** What `gatehouse check` says about a configuration. */
interface Answer {
  /** Each fault as `FILE:LINE:COLUMN POINTER: MESSAGE | FIX`, without the folder. */
  readonly faults: readonly string[];
  /** The text for people on standard error, without the folder. */
  readonly warnings: string;
}

/** Writes a configuration to a new folder, and returns the folder. */
export function writeMistake({ main = '', files = {} }: Mistake): string {
  const folder = temporaryFolder().path;
  writeFiles(folder, { 'gatehouse.yaml': main, ...files }, 0o600);
  return folder;
}

/** Checks a configuration with a mistake. */
export async function checkMistake(mistake: Mistake): Promise<Answer> {
  const folder = writeMistake(mistake);
  const probe = mistake.probe === true ? ['--probe'] : [];
  const args = ['check', '--json', ...probe, '--config', join(folder, 'gatehouse.yaml')];
  const { out, err } = await runCommand(args, { env: mistake.env ?? {} });
  const plain = (text: string): string => text.replaceAll(`${folder}/`, '');
  const faults = JSON.parse(out) as readonly Fault[];
  return { faults: faults.map((fault) => plain(sentenceOf(fault))), warnings: plain(err) };
}

function sentenceOf({ file, line, column, pointer, message, fix }: Fault): string {
  const position = line > 0 ? `${file}:${line}:${column}` : file;
  return `${position} ${pointer}: ${message} | ${fix}`;
}
