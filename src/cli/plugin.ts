import { type Command, UsageError, EXIT } from './command.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseOptions } from './options.js';
import { pluginFiles } from './plugin-template.js';

/** Writes a working plugin as a starting point for its author. */
const pluginNew: Command = {
  name: 'plugin new',
  summary: 'write the folder of a new plugin: code, README, changelog, tests',
  help: `Usage: gatehouse plugin new TYPE [--dir DIR]

Writes the folder DIR/TYPE with a plugin that keeps the contract: index.js, README.md,
CHANGELOG.md, index.test.js and a package.json, so that it can be installed with npm.
What is there already is never touched.

Options:
  --dir DIR  where to write the folder (default: the working directory)`,
  async run([type, ...rest], io) {
    const { dir } = parseOptions(rest, { dir: { type: 'string', default: '.' } });
    const folder = join(resolve(dir), checkedType(type));
    await makeFolder(folder);
    for (const [name, text] of pluginFiles(checkedType(type)))
      await writeFile(join(folder, name), text, { flag: 'wx' });
    io.out(nextSteps(folder));
    return EXIT.ok;
  },
};

const TYPE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function checkedType(type = ''): string {
  if (TYPE.test(type) && type.length <= 64) return type;
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
    throw new UsageError(`${folder} is there already; choose another type, or another --dir`);
  }
}

function nextSteps(folder: string): string {
  return `${folder} is written. Next:

  cd ${folder} && npm install --save-dev PATH-OF-GATEHOUSE && node --test
  npm install ${folder}     in the folder of your configuration, so that "plugin:" can name it
`;
}

/** Command group for writing plugins. */
export const plugin: Command = {
  name: 'plugin',
  summary: 'begin an adapter plugin of your own',
  help: `Usage: gatehouse plugin COMMAND [OPTIONS]

Commands:
  new      ${pluginNew.summary}

gatehouse plugin COMMAND --help tells more about one of them.`,
  commands: [pluginNew],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name what to do: new${given}`);
  },
};
