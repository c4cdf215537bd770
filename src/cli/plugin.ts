import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { valueAt } from '../json/pointer.js';
import { VERSION } from '../lib/version.js';
import { type Subcommand, commandGroup, EXIT, parseOptions, UsageError } from './command.js';
import { type Language, PACKAGE_NAME, pluginFiles } from './plugin-files.js';

/** Writes a working plugin as a starting point for its author. */
const pluginNew: Subcommand = {
  name: 'plugin new',
  usage: 'new',
  summary: 'create the folder of a new plugin: code, README, changelog, tests',
  help: `Usage: gatehouse plugin new TYPE [--typescript] [--dir DIR]

Creates the folder DIR/TYPE with a plugin that satisfies the contract: its code, its tests, README.md,
CHANGELOG.md, and a package.json to install it with npm. An existing folder is never changed.

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
    await makeFolder(folder);
    for (const [name, text] of pluginFiles(checkedType(type), language)) {
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' });
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
  await mkdir(join(folder, '..'), { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UsageError(`${folder} exists already; choose another type, or another --dir`);
  }
}

/**
 * Throws a UsageError for a folder of gatehouse itself, a checkout or an installed package. Plugins there would be loaded as
 * built-in plugins, or be lost at the next update.
 */
async function requireOutside(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  if (packageNameIn(text) === PACKAGE_NAME)
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
  npm install --save-dev --ignore-scripts ${PACKAGE_NAME}@${VERSION}
                (or the file ${PACKAGE_NAME}-${VERSION}.tgz, until the package is in your registry)
  npm test      ${language === 'typescript' ? 'compiles it and checks' : 'checks'} it against the contract of plugins
  npm pack      makes ${type}-1.0.0.tgz

Then, in the folder of your configuration:

  npm install ${join(folder, `${type}-1.0.0.tgz`)}

and name it in an adapter file: "plugin: ${type}".
`;
}

/** Command group for writing plugins. */
export const plugin = commandGroup('plugin', [pluginNew]);
