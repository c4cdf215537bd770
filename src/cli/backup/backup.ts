import { type Command, CONFIG_OPTION_HELP, EXIT } from '../lib/command.js';
import { createBackup } from './create-backup.js';
import { dumpAdvice } from './postgres-advice.js';
import { backupTerms, oneFile } from './run-backup.js';

export const backup: Command = {
  name: 'backup',
  help: `Usage: gatehouse backup FILE [--force] [--config PATH]

Writes a backup of this server to FILE, a tar archive that only its owner can read: the configuration
with the files that it names in its folder, the SQLite database, the audit trail with its key, and the
signing key. The server may run at the same time. FILE appears complete or not at all. Secrets in files
below the folder of the configuration are in the backup, in plain text. Values in Vault are not, nor is a
PostgreSQL database: the command prints how to dump it.

Everyone who can read FILE can sign tokens and forge audit records. Store the last audit record, which
this command prints, in another place.

Options:
  --force         replace FILE if it exists
${CONFIG_OPTION_HELP}

Exit codes: 0 written, 64 wrong usage, 78 invalid configuration, 1 any other failure.`,
  async run(args, io) {
    const line = oneFile(args, io);
    const { file } = line;
    return backupTerms(line, io, async (terms) => {
      const { files, left, secretCount, lastAuditRecord, places } = await createBackup(file, terms);
      for (const path of left) io.err(`not in the backup: ${path}; copy it yourself\n`);
      if (secretCount > 0) io.err(secretAdvice(secretCount));
      if (places.storageUrl.startsWith('postgres')) io.err(dumpAdvice(places.storageUrl));
      io.out(`${file}: ${files} files\n`);
      if (lastAuditRecord) io.out(`last audit record: ${lastAuditRecord.seq}:${lastAuditRecord.hash}\n`);
      return EXIT.ok;
    });
  },
};

function secretAdvice(count: number): string {
  const files = count === 1 ? '1 file' : `${count} files`;
  return `the backup contains ${files} of secrets.files.root in plain text; keep it as safe as these secrets\n`;
}
