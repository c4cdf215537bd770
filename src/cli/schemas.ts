import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { schemaFiles } from '../config/schema-files.js';
import { createFolder } from '../lib/create-folder.js';
import { SCHEMA_FOLDER, schemaLine } from './init/init-files.js';
import {
  type Command,
  CONFIG_OPTION_HELP,
  type CommandIo,
  configPath,
  EXIT,
  parseOptions,
} from './lib/command.js';

/** Writes the JSON Schemas of the configuration files beside the configuration. */
export const schemas: Command = {
  name: 'schemas',
  help: `Usage: gatehouse schemas [--config PATH] [--dir DIR]

Writes gatehouse.schema.json and adapter.schema.json, with which editors complete, explain and
check the configuration files. Run it again after an update of gatehouse: the files are
overwritten. An editor uses them for a file that begins with one of these lines:

  ${schemaLine('main', SCHEMA_FOLDER).trim()}
  ${schemaLine('adapter', `../${SCHEMA_FOLDER}`).trim()}

Options:
${CONFIG_OPTION_HELP}
  --dir DIR       folder for the files (default: ${SCHEMA_FOLDER} beside the configuration file)`,
  async run(args, io) {
    const { config, dir } = parseOptions(args, { config: { type: 'string' }, dir: { type: 'string' } });
    await writeFiles(dir ?? join(dirname(configPath(config, io.env)), SCHEMA_FOLDER), io);
    return EXIT.ok;
  },
};

/** Writes the schemas into the folder {@link SCHEMA_FOLDER} of a configuration. */
export function writeSchemas(configFolder: string, io: CommandIo): Promise<void> {
  return writeFiles(join(configFolder, SCHEMA_FOLDER), io);
}

/** Overwrites files of an earlier version: they contain nothing but the schemas of that version. */
async function writeFiles(folder: string, io: CommandIo): Promise<void> {
  createFolder(folder);
  for (const [name, schema] of Object.entries(schemaFiles())) {
    const file = join(folder, name);
    await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
    io.err(`wrote ${relative('.', file)}\n`);
  }
}
