import { jsonText } from '../../json/write-json.js';
import { type Command, EXIT, parsePositionals } from '../lib/command.js';
import { planFolder } from './plan-folder.js';
import { linesOfChange, summaryOf } from './print-plan.js';
import { nameOf } from './record-plan.js';
import { SERVER_OPTIONS, SERVER_OPTIONS_HELP, TOKEN_HELP, withRecords } from './with-records.js';

/** Exit code for differences, as `terraform plan -detailed-exitcode` has it. */
export const DIFFERENT = 2;

/** Shows what `gatehouse apply` would change. */
export const diff: Command = {
  name: 'diff',
  help: `Usage: gatehouse diff DIR [--prune] [--json] [--url URL] [--kind KIND]

Compares the files in DIR/adapters, DIR/profiles, DIR/forms, DIR/access-rules and DIR/limits with a
running gatehouse, and prints what "gatehouse apply" would create (+), update (~) and delete (-).
Changes nothing. Records that the server would refuse are faults of the files.

A file describes settings of an adapter, blocks of a profile, schemas of a form, and a rule completely.
Other members that a file leaves out stay as they are on the server.

Options:
  --prune         also list records of the server that no file declares
  --json          print a JSON array
${SERVER_OPTIONS_HELP}

${TOKEN_HELP}

Exit codes: 0 equal, 2 different, 64 wrong usage, 77 not signed in or refused, 78 a fault of the files or
a record that the server would refuse, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, {
      ...SERVER_OPTIONS,
      prune: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    return withRecords({ name: 'diff', positionals, values, io }, async ({ client, folder, kinds }) => {
      const changes = await planFolder(client, { folder, kinds, prune: values.prune, io });
      if (values.json) {
        const rows = changes.map((change) => ({
          action: change.action,
          kind: change.kind.title,
          name: nameOf(change),
          ...(change.action === 'update' && { differences: change.differences }),
        }));
        io.out(`${jsonText(rows, 2)}\n`);
      } else {
        for (const change of changes) io.out(linesOfChange(change));
        io.err(changes.length === 0 ? 'no differences\n' : `${summaryOf(changes)}\n`);
      }
      return changes.length === 0 ? EXIT.ok : DIFFERENT;
    });
  },
};
