import { type CommandIo, UsageError } from '../lib/command.js';
import { serverUrl } from '../login/gateway.js';
import { withServer } from '../login/with-server.js';
import { createManagementClient, type ManagementClient } from './management-client.js';
import { RECORD_KINDS } from './record-folder.js';
import type { RecordKind } from './record-kind.js';

/** Options that `gatehouse dump`, `diff` and `apply` share. */
export const SERVER_OPTIONS = {
  url: { type: 'string' },
  kind: { type: 'string', multiple: true },
} as const;

export const SERVER_OPTIONS_HELP = `  --url URL       gatehouse to use (default: $GATEHOUSE_URL, else that of the latest login)
  --kind KIND     only adapters, profiles, forms, access-rules or limits; may be repeated
                  (default: each kind with a folder)`;

export const TOKEN_HELP = `Uses the tokens of "gatehouse login". In a pipeline, set GATEHOUSE_URL, GATEHOUSE_TOKEN and, for a private
certificate authority, GATEHOUSE_CA_FILE.`;

interface RecordCommand {
  readonly name: string;
  readonly positionals: readonly string[];
  readonly values: { readonly url?: string; readonly kind?: readonly string[] };
  readonly io: CommandIo;
}

/** The server, the folder and the kinds that a command line names. */
interface RecordWork {
  readonly client: ManagementClient;
  readonly folder: string;
  /** Undefined without `--kind`. */
  readonly kinds: readonly RecordKind[] | undefined;
}

/** Runs work on the records of a server. Throws a UsageError for a command line without one folder or with an unknown kind. */
export function withRecords(
  { name, positionals, values, io }: RecordCommand,
  work: (records: RecordWork) => Promise<number>,
): Promise<number> {
  const folder = folderOf(positionals);
  const kinds = kindsOf(values.kind);
  const url = values.url === undefined ? undefined : serverUrl(values.url);
  return withServer({ command: name, url, io }, ({ gateway, session }) =>
    work({ client: createManagementClient(gateway, session.entry.accessToken), folder, kinds }),
  );
}

function folderOf(positionals: readonly string[]): string {
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('name one folder');
  return folder;
}

function kindsOf(names: readonly string[] | undefined): readonly RecordKind[] | undefined {
  const unknown = names?.find((name) => !RECORD_KINDS.some(({ folder }) => folder === name));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no kind "${unknown}": use ${RECORD_KINDS.map(({ folder }) => folder).join(', ')}`,
    );
  return names && RECORD_KINDS.filter(({ folder }) => names.includes(folder));
}
