import { type Command, UsageError } from './command.js';
import { secretsCheck } from './secrets-check.js';
import { secretsMigrate } from './secrets-migrate.js';

/** Command group for the secrets of a configuration. */
export const secrets: Command = {
  name: 'secrets',
  summary: 'check the references to Vault, or move old values there',
  help: `Usage: gatehouse secrets COMMAND [OPTIONS]

Commands:
  check    ${secretsCheck.summary}
  migrate  ${secretsMigrate.summary}

gatehouse secrets COMMAND --help tells more about one of them.`,
  commands: [secretsCheck, secretsMigrate],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name what to do: check or migrate${given}`);
  },
};
