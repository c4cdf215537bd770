import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { methodChanges, type MethodChanges } from '../../adapters/method-changes.js';
import { openMethods } from '../../adapters/openapi/document-methods.js';
import { DocumentReader } from '../../adapters/openapi/document-reader.js';
import type { DocumentResult, DocumentTask } from '../../adapters/openapi/document-task.js';
import { readDocument } from '../../config/document.js';
import { ADAPTER_ID_HINT, isAdapterId } from '../../core/adapter-names.js';
import { ConfigError } from '../../core/fault.js';
import { namingHop } from '../../core/transport-failure.js';
import { ownMember } from '../../json/json-object.js';
import { createFolder } from '../../lib/create-folder.js';
import { errorMessage } from '../../lib/error-message.js';
import { printable } from '../../lib/escape-unprintable.js';
import { matchesName } from '../../lib/name-pattern.js';
import { configuredPlace, type SecretPlaceKind } from '../../secrets/secret-place.js';
import {
  type CommandIo,
  commandGroup,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  formatTable,
  parsePositionals,
  type Subcommand,
  UsageError,
} from '../lib/command.js';
import { DIFFERENT } from '../records/diff.js';
import { operationRows, proposeAdapter, proposedBaseUrl, proposedName } from './openapi-proposal.js';

/** Maximum number of methods that are chosen without `--methods`. */
const MAX_CHOSEN = 100;

const OPTIONS = {
  config: { type: 'string' },
  name: { type: 'string' },
  methods: { type: 'string' },
  'base-url': { type: 'string' },
  list: { type: 'boolean', default: false },
  diff: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof parsePositionals<typeof OPTIONS>>['values'];

/** Writes the file of an adapter whose methods come from an OpenAPI document. */
const fromOpenApi: Subcommand = {
  name: 'adapter from-openapi',
  usage: 'from-openapi',
  summary: 'create an adapter from an OpenAPI document, or compare its methods',
  help: `Usage: gatehouse adapter from-openapi FILE|URL [--list] [--methods NAMES] [--name NAME]
                                       [--base-url URL] [--diff] [--force] [--config PATH]

Reads a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0, as JSON or YAML, and writes
adapters/NAME.yaml beside the configuration. Its operations become methods that callers call by name.
The authentication follows from the security schemes of the document. The document of a URL is saved
as apis/NAME.json or apis/NAME.yaml beside the configuration.

Options:
  --list          print the methods of the document, and write nothing; with --methods only these
  --methods NAMES names of methods, separated by commas; * matches any number of characters
                  (default: all that only read, if there are at most ${MAX_CHOSEN})
  --name NAME     adapterId (default: from the title of the document)
  --base-url URL  base URL (default: the first server of the document)
  --diff          print which methods of the adapter NAME the document adds (+), removes (-) and
                  changes (~), and write nothing
  --force         overwrite the file of the adapter
${CONFIG_OPTION_HELP}

Exit codes: 0 written, listed or equal, 2 different (--diff), 64 wrong usage, the adapter
exists, or the URL cannot be read, 78 the document has faults.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, OPTIONS);
    const [source, ...others] = positionals;
    if (source === undefined || others.length > 0) throw new UsageError('name one document: a file or a URL');
    const main = resolve(configPath(values.config, io.env));
    const folder = dirname(main);
    const fetched = /^https?:\/\//i.test(source) ? await download(source, folder) : undefined;
    try {
      return await runOn({ file: fetched ?? resolve(source), fetched, main, folder, values, io });
    } finally {
      if (fetched !== undefined) await rm(fetched, { force: true });
    }
  },
};

interface RunInput {
  readonly file: string;
  /** The same, if it was downloaded. */
  readonly fetched: string | undefined;
  /** The main file. */
  readonly main: string;
  readonly folder: string;
  readonly values: Options;
  readonly io: CommandIo;
}

async function runOn(input: RunInput): Promise<number> {
  const { file, folder, values, io } = input;
  const patterns = values.methods?.split(',').map((name) => name.trim());
  const result = await read(file, patterns ?? []);
  if (values.list) return list(result, patterns, io);
  const name = checkedName(values.name ?? proposedName(result.info));
  const adapterFile = join(folder, 'adapters', `${name}.yaml`);
  const before = await chosenBefore(adapterFile);
  const methods = chosenMethods(patterns ?? before?.methods, result.operations);
  const isRefused = existsSync(adapterFile) && !values.force;
  if (!values.diff && !isRefused) return write({ ...input, name, adapterFile, methods, info: result.info });
  const changes = await changesOf(before, { file, methods });
  io.out(changesLines(changes));
  if (values.diff) return changes ? DIFFERENT : EXIT.ok;
  throw new UsageError(`${adapterFile} exists already; overwrite it with --force, or choose another --name`);
}

function checkedName(name: string): string {
  if (isAdapterId(name)) return name;
  throw new UsageError(`the name "${name}" ${ADAPTER_ID_HINT}; choose one with --name`);
}

/** Prints the methods of a document, or those of these names. */
function list(
  { operations }: DocumentResult,
  patterns: readonly string[] | undefined,
  io: CommandIo,
): number {
  const listed = operations.filter(({ name }) => patterns?.some((one) => matchesName(one, name)) ?? true);
  if (listed.length > 0) io.out(`${formatTable(operationRows(listed))}\n`);
  io.err(`${listed.length} of ${operations.length} methods\n`);
  return EXIT.ok;
}

/** Reads a document. Throws a ConfigError with its faults, and a UsageError for a name of no method. */
async function read(file: string, methods: readonly string[]): Promise<DocumentResult> {
  const result = await new DocumentReader().read({ file, methods, ownNames: NO_NAMES });
  const faults = result.faults.filter(({ isWarning = false }) => !isWarning);
  if (faults.length > 0) throw new ConfigError(faults);
  const [unmatched] = result.unmatched;
  if (!unmatched) return result;
  const suggestion = unmatched.suggestion === '' ? 'see --list' : `did you mean "${unmatched.suggestion}"?`;
  throw new UsageError(`the document has no method "${methods[unmatched.at] ?? ''}"; ${suggestion}`);
}

const NO_NAMES: DocumentTask['ownNames'] = { headers: [], parameters: [], cookies: [] };

/** Returns the chosen names; without a choice, the names of all methods that only read. */
function chosenMethods(
  chosen: readonly string[] | undefined,
  operations: DocumentResult['operations'],
): readonly string[] {
  if (chosen) return chosen;
  const names = operations.filter(({ effect }) => effect === 'read').map(({ name }) => name);
  if (names.length > 0 && names.length <= MAX_CHOSEN) return names;
  throw new UsageError(
    `choose methods with --methods: ${names.length} of ${operations.length} only read; see --list`,
  );
}

type Chosen = Pick<DocumentTask, 'file' | 'methods'>;

/** Returns the document and the methods of an adapter file; undefined without a file or without a document. */
async function chosenBefore(adapterFile: string): Promise<Chosen | undefined> {
  const text = await readFile(adapterFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const openapi = ownMember(readDocument({ file: adapterFile, text }, {}).value, 'openapi');
  const [file, methods] = [ownMember(openapi, 'file'), ownMember(openapi, 'methods')];
  if (typeof file !== 'string' || !Array.isArray(methods)) return undefined;
  return { file: resolve(dirname(adapterFile), file), methods: methods.map(String) };
}

async function changesOf(before: Chosen | undefined, now: Chosen): Promise<MethodChanges | undefined> {
  const reader = new DocumentReader();
  const digestsOf = async (chosen: Chosen) =>
    openMethods(await reader.read({ ...chosen, ownNames: NO_NAMES })).digests;
  return methodChanges(before && (await digestsOf(before)), await digestsOf(now));
}

function changesLines(changes: MethodChanges | undefined): string {
  if (!changes) return 'no differences\n';
  const lines = [
    ...changes.added.map((name) => `+ ${name}`),
    ...changes.removed.map((name) => `- ${name}`),
    ...changes.changed.map((name) => `~ ${name}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

interface WriteInput extends RunInput {
  readonly name: string;
  readonly adapterFile: string;
  readonly methods: readonly string[];
  readonly info: DocumentResult['info'];
}

async function write({
  file,
  fetched,
  main,
  folder,
  values,
  io,
  name,
  adapterFile,
  methods,
  info,
}: WriteInput): Promise<number> {
  const document = fetched === undefined ? file : join(folder, 'apis', `${name}${extname(fetched)}`);
  createFolder(dirname(adapterFile));
  if (fetched !== undefined) {
    if (existsSync(document) && !values.force)
      throw new UsageError(`${document} exists already; overwrite it with --force, or choose another --name`);
    createFolder(dirname(document));
    await rename(fetched, document);
    io.out(`${document}: written\n`);
  }
  const { text, advice } = proposeAdapter({
    name,
    info,
    methods,
    file: relative(dirname(adapterFile), document),
    baseUrl: values['base-url'] ?? proposedBaseUrl(info),
    place: await placeIn(main),
  });
  await writeFile(adapterFile, text, { flag: values.force ? 'w' : 'wx' });
  io.out(`${adapterFile}: written. Next:

  compare baseUrl and auth with your orchestrator${advice.map((line) => `\n  ${line}`).join('')}
  check the files with "gatehouse check"
  list the methods with GET /adapters/${name}/methods
  call one with POST /adapters/${name}/call/METHOD
`);
  return EXIT.ok;
}

/** Returns where a main file keeps secrets. A file that cannot be read keeps them nowhere. */
async function placeIn(main: string): Promise<SecretPlaceKind> {
  const text = await readFile(main, 'utf8').catch(() => '');
  return configuredPlace(readDocument({ file: main, text }, {}).value);
}

/** Maximum size of a downloaded document, in bytes, and the time that it may take, in milliseconds. */
const MAX_BYTES = 67_108_864;
const TIMEOUT_MS = 60_000;

/** Saves the document of a URL to a new file in the folder, and returns its path. Throws a UsageError if it cannot be read. */
async function download(url: string, folder: string): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    // Node reports the cause of every failed connection as "fetch failed".
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = errorMessage(namingHop(cause, new URL(url).host));
    throw new UsageError(
      `${url} cannot be read: ${reason}; download the document yourself, and name the file`,
    );
  });
  if (!reply.ok) throw new UsageError(`${url} cannot be read: the server answered ${reply.status}`);
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw new UsageError(`${url} is larger than ${MAX_BYTES} bytes`);
  const isJson = /^\s*\{/.test(bytes.subarray(0, 64).toString());
  createFolder(folder);
  const file = join(folder, `.openapi-${process.pid}.${isJson ? 'json' : 'yaml'}`);
  await writeFile(file, bytes);
  return file;
}

export const adapter = commandGroup('adapter', [fromOpenApi]);
