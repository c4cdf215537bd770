import { verifyAudit } from './audit.js';
import { restoreAdvice } from './backup/postgres-advice.js';
import { restoreBackup } from './backup/restore-backup.js';
import { backupTerms, oneFile } from './backup/run-backup.js';
import { type Command, CONFIG_OPTION_HELP, EXIT } from './command.js';

/** Puts the files of a backup in their places. */
export const restore: Command = {
  name: 'restore',
  help: `Usage: gatehouse restore FILE [--force] [--config PATH]

Puts the files of a backup where the configuration says, and verifies them: each file by its SHA-256,
the database, and the chain of the audit trail. Writes the configuration of the backup only if there is
none at PATH. Replaces no data without --force, and nothing before the backup was read and checked
as a whole. Refuses while a server uses the data.

Run it as the user of the server, to whom the files then belong.

Options:
  --force         replace the database, the audit trail and the keys
${CONFIG_OPTION_HELP}

Exit codes: 0 restored, 64 wrong usage, 78 invalid configuration, 1 any other failure, also a
restored audit trail that is not intact.`,
  async run(args, io) {
    const line = oneFile(args, io);
    const { file, configPath } = line;
    return backupTerms(line, io, async (terms) => {
      const { manifest, written, keptConfiguration, places } = await restoreBackup(file, terms);
      for (const path of written) io.out(`${path}\n`);
      if (keptConfiguration) io.err(`${configPath} was there, and stays as it is\n`);
      const isElsewhere = places.storageUrl.startsWith('postgres');
      if (isElsewhere) io.err(restoreAdvice(places.storageUrl));
      if (places.audit.durability === 'store' && isElsewhere) return EXIT.ok;
      terms.onStep('verifying the audit trail');
      const expected = manifest.lastAuditRecord;
      const input = { configPath, env: io.env };
      const verified = await verifyAudit({ input, files: [], keyFile: undefined, expected });
      if (verified.whole) {
        io.out(`restored; audit trail intact: ${verified.records} records\n`);
        return EXIT.ok;
      }
      const { place = '', message = '' } = verified.break ?? {};
      io.err(`restored, but the audit trail was already broken in the backup: ${place}: ${message}\n`);
      return EXIT.failed;
    });
  },
};
