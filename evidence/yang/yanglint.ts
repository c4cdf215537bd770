import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Result of yanglint for one document: undefined, or its first error. */
type YanglintError = string | undefined;

/** A set of modules and the documents to judge by them. */
interface Question {
  /** File names of the modules to load; their imports are taken from the other files. */
  readonly given: readonly string[];
  /** File names with their texts. */
  readonly modules: readonly (readonly [file: string, text: string])[];
  readonly documents: readonly unknown[];
  readonly type: 'config' | 'data';
  /** True to apply only the modules whose data a document contains. */
  readonly presentOnly: boolean;
}

/**
 * Validates many documents with one yanglint process, with all modules implemented. If yanglint refuses the
 * modules, returns its message about them.
 */
export async function askYanglint(
  question: Question,
): Promise<readonly YanglintError[] | { readonly refused: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-yanglint-'));
  try {
    for (const [file, text] of question.modules) writeFileSync(join(folder, file), text);
    question.documents.forEach((document, at) => {
      writeFileSync(join(folder, `${at}.json`), JSON.stringify(document));
    });
    // File names are relative to the folder of the process: for an absolute name, libyang 2.1 reads the whole
    // directory above the folder, which may be large.
    const commands = [
      `searchpath ${folder}`,
      ...question.given.map((file) => `add -i -i ${file}`),
      'list',
      ...question.documents.map(
        (_, at) =>
          `data ${question.presentOnly ? '-e ' : ''}-t ${question.type} ${join(folder, `${at}.json`)}`,
      ),
    ];
    return read(await run(commands, folder), question);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(commands: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('yanglint', [], { cwd: folder, env: { ...process.env, HOME: folder } });
    let said = '';
    child.on('error', reject);
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('close', (...[, signal]) => {
      resolve(signal === null ? said : `${said}\n${CRASHED}`);
    });
    child.stdin.end(`${commands.join('\n')}\n`);
  });
}

/** Line after the output of a process that a signal has ended. */
const CRASHED = 'the process was ended by a signal';

const FAILED = /^YANGLINT\[E\]: Failed to parse input data file ".*\/(\d+)\.json"\.$/;

/** A line of `list` about a module that is implemented. */
const IMPLEMENTED = /^\s+I (\S+)$/gm;

function read(
  said: string,
  { given, documents }: Question,
): readonly YanglintError[] | { readonly refused: string } {
  if (said.endsWith(CRASHED)) return { refused: 'it crashes' };
  const complaints = Array.from<YanglintError>({ length: documents.length });
  let last = '';
  for (const line of said.split('\n')) {
    const failed = FAILED.exec(line);
    if (line.startsWith('YANGLINT[E]') && !failed) return { refused: last };
    if (failed) complaints[Number(failed[1])] = last === '' ? 'refused' : last;
    if (line.startsWith('libyang[0]')) last = line;
  }
  // A refused module is missing, and the modules that it augments would be validated without it.
  const there = new Set([...said.matchAll(IMPLEMENTED)].map(([, name]) => `${name ?? ''}.yang`));
  return given.every((file) => there.has(file)) ? complaints : { refused: 'it refuses the module' };
}
