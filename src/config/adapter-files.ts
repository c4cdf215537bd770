import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ADAPTER_ID_HINT, isAdapterId } from '../core/adapter-names.js';
import type { Fault } from '../core/fault.js';
import { fileFault } from './read-text.js';

/** File of the folder `adapters/`. Its name without the extension is the adapterId. */
interface AdapterFile {
  readonly id: string;
  readonly file: string;
}

/** Name of a file that holds an adapter. Hidden files and all other files in the folder are ignored. */
const ADAPTER_FILE = /^([^.].*)\.(?:yaml|yml|json)$/s;

/** Name that is nearly the name of an adapter file, for example with a second extension that an editor appended. */
const NEARLY_ADAPTER_FILE = /^[^.].*\.(?:ya?ml|json)(?:\.txt)?$/is;

export function isAdapterFile(name: string): boolean {
  return ADAPTER_FILE.test(name);
}

interface AdapterFolder {
  readonly files: readonly AdapterFile[];
  readonly faults: readonly Fault[];
  /** Warnings about files that are ignored, although their names resemble those of adapter files. */
  readonly ignored: readonly Fault[];
}

/**
 * Returns the adapter files of a folder, sorted by name; empty if the folder does not exist. Never throws.
 */
export async function listAdapterFiles(folder: string): Promise<AdapterFolder> {
  try {
    const names = (await readdir(folder)).sort();
    const files = names.flatMap((name) => {
      const id = ADAPTER_FILE.exec(name)?.[1];
      return id === undefined ? [] : [{ id, file: join(folder, name) }];
    });
    const ignored = names
      .filter((name) => !isAdapterFile(name) && NEARLY_ADAPTER_FILE.test(name))
      .map((name) => ignoredFile(join(folder, name)));
    return { files, faults: [...files.flatMap(nameFault), ...twinFaults(files)], ignored };
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { files: [], faults: absent ? [] : [fileFault(folder, error)], ignored: [] };
  }
}

function nameFault({ id, file }: AdapterFile): readonly Fault[] {
  if (isAdapterId(id)) return [];
  return [nameFaultOf(file, `has a name that ${ADAPTER_ID_HINT}`, 'Rename the file.')];
}

function twinFaults(files: readonly AdapterFile[]): readonly Fault[] {
  const first = new Map(files.map(({ id, file }) => [id, file] as const).reverse());
  return files.flatMap(({ id, file }) => {
    const twin = first.get(id) ?? file;
    if (twin === file) return [];
    return [nameFaultOf(file, `defines the adapter of ${twin} again`, 'Keep one of the two files.')];
  });
}

function ignoredFile(file: string): Fault {
  const message = 'is ignored: the name of an adapter file ends in .yaml, .yml or .json';
  return nameFaultOf(file, message, 'Rename the file, or move it to another folder.');
}

function nameFaultOf(file: string, message: string, fix: string): Fault {
  return { file, line: 0, column: 0, pointer: '', code: 'adapter-id', message, fix };
}
