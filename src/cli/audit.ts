import { auditVerify } from './audit-verify.js';
import { type Command, UsageError } from './command.js';

/** Command group for the audit trail. */
export const audit: Command = {
  name: 'audit',
  summary: 'prove that the audit trail is as it was written',
  help: `Usage: gatehouse audit COMMAND [OPTIONS]

Commands:
  verify [FILE...]  ${auditVerify.summary}

gatehouse audit COMMAND --help tells more about one of them.`,
  commands: [auditVerify],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name what to do: verify${given}`);
  },
};
