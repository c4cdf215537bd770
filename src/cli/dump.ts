import { type Command, EXIT, parsePositionals } from './command.js';
import { RECORD_KINDS, writeRecords } from './records/record-folder.js';
import { SERVER_OPTIONS, SERVER_OPTIONS_HELP, TOKEN_HELP, withRecords } from './records/with-records.js';

/** Writes the adapters, profiles and forms of a running server to a folder. */
export const dump: Command = {
  name: 'dump',
  help: `Usage: gatehouse dump DIR [--url URL] [--kind KIND]

Writes the adapters that were registered through the API, the profiles and the JSON forms of a running
gatehouse to DIR/adapters, DIR/profiles and DIR/forms: one YAML file for each, without what the
server fills in. Replaces files with the same names, and removes none. Secrets are references to Vault.
Adapters in files of the server are left out: these files are their source.

Options:
${SERVER_OPTIONS_HELP}

${TOKEN_HELP}

Exit codes: 0 written, 64 wrong usage, 77 not signed in or refused, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, SERVER_OPTIONS);
    return withRecords(
      { name: 'dump', positionals, values, io },
      async ({ client, folder, kinds = RECORD_KINDS }) => {
        for (const kind of kinds) {
          const present = await kind.list(client);
          const records = present.filter(({ isInFile }) => isInFile !== true);
          const written = records.map(({ name, value }) => ({ name, value: kind.written(value) }));
          const paths = await writeRecords(folder, kind, written);
          for (const path of paths) io.out(`${path}\n`);
          const left = present.length - records.length;
          if (left > 0)
            io.err(`${left} ${left === 1 ? kind.title : kind.folder} in files of the server left out\n`);
        }
        return EXIT.ok;
      },
    );
  },
};
