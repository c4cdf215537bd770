import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { valueAt } from '../../json/pointer.js';
import { createFolder } from '../../lib/create-folder.js';
import { PRODUCT_FOLDER } from '../../lib/version.js';
import { type Subcommand, commandGroup, EXIT, parseOptions, UsageError } from '../lib/command.js';
import { KIT_FILE, type Language, pluginFiles } from './plugin-files.js';

/** Writes a working plugin as a starting point for its author. */
const pluginNew: Subcommand = {
  name: 'plugin new',
  usage: 'new',
  summary: 'create the folder of a new plugin: code, README, changelog, tests',
  help: `Usage: gatehouse plugin new TYPE [--typescript] [--dir DIR]

Creates the folder DIR/TYPE with a plugin that satisfies the contract: its code, its tests, README.md,
CHANGELOG.md, a package.json to install it with npm, and the package file of the types and of the contract
suite. An existing folder is never changed.

Options:
  --typescript  write TypeScript, which "npm run build" compiles to dist/ (default: JavaScript)
  --dir DIR     folder in which to create it, outside of gatehouse (default: the working directory)

Examples:
  gatehouse plugin new acme-nms
  gatehouse plugin new acme-nms --typescript --dir ~/plugins`,
  async run([type, ...rest], io) {
    const { dir, typescript } = parseOptions(rest, {
      dir: { type: 'string', default: '.' },
      typescript: { type: 'boolean', default: false },
    });
    const language = typescript ? 'typescript' : 'javascript';
    const folder = join(resolve(dir), checkedType(type));
    await requireOutside(dirname(folder));
    const kit = [KIT_FILE, await readKit()] as const;
    await makeFolder(folder);
    for (const [name, content] of [...pluginFiles(checkedType(type), language), kit]) {
      const file = join(folder, name);
      createFolder(dirname(file));
      await writeFile(file, content, { flag: 'wx' });
    }
    io.out(nextSteps(folder, { type: checkedType(type), language }));
    return EXIT.ok;
  },
};

const TYPE_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function checkedType(type = ''): string {
  if (TYPE_PATTERN.test(type) && type.length <= 64) return type;
  throw new UsageError(
    'name the type: lower-case letters and digits, words joined by hyphens, for example acme-nms',
  );
}

async function makeFolder(folder: string): Promise<void> {
  createFolder(join(folder, '..'));
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UsageError(`${folder} exists already; choose another type, or another --dir`);
  }
}

/** Reads the package of the plugin API, which is in no registry yet. Throws a UsageError if this installation lacks it. */
async function readKit(): Promise<Buffer> {
  const file = join(PRODUCT_FOLDER, 'dist/plugin-kit', KIT_FILE);
  return readFile(file).catch((cause: unknown) => {
    throw new UsageError(
      `${file} is missing: run "npm run kit" in the checkout, or use the npm package of gatehouse`,
      { cause },
    );
  });
}

/**
 * Throws a UsageError for a folder of gatehouse itself, a checkout or an installed package. Plugins there would be loaded as
 * built-in plugins, or be lost at the next update.
 */
async function requireOutside(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  if (packageNameIn(text) === 'gatehouse-proxy')
    throw new UsageError(
      `a plugin is a package of its own, but ${folder} is the folder of gatehouse; choose a folder outside of it, for example --dir ${dirname(folder)}`,
    );
  if (dirname(folder) !== folder) await requireOutside(dirname(folder));
}

function packageNameIn(text: string): unknown {
  try {
    return valueAt(JSON.parse(text) as unknown, '/name');
  } catch {
    return undefined;
  }
}

function nextSteps(
  folder: string,
  { type, language }: { readonly type: string; readonly language: Language },
): string {
  return `${folder} is written. Next:

  cd ${folder}
  npm install   needs ${language === 'typescript' ? 'a registry, for the compiler' : 'no registry: the plugin API is a file of the folder'}
  npm test      ${language === 'typescript' ? 'compiles it and checks' : 'checks'} it against the contract of plugins

Then, in the folder of your configuration:

  npm install ${folder}

and name it in an adapter file: "plugin: ${type}". A running gatehouse loads the plugin again when its code changes.
For another machine, install the file that "npm pack" makes.
`;
}

export const plugin = commandGroup('plugin', [pluginNew]);
