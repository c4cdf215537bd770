import { hashPassword } from '../auth/password-hash.js';
import { Secret } from '../domain/secret.js';
import { type Command, EXIT, UsageError } from './command.js';
import { parseOptions } from './options.js';

/** NIST SP 800-63B, section 5.1.1.2. */
const SHORTEST = 8;

/** Makes the hash of a password, so that no configuration needs the password itself. */
export const hash: Command = {
  name: 'hash',
  summary: 'make the scrypt hash of a password',
  help: `Usage: gatehouse hash

Asks for a password of at least 8 characters (or reads it from standard input) and
prints its scrypt hash in PHC format, for example:

  printf %s "$PASSWORD" | gatehouse hash

The line goes into the configuration as it is, in single quotes: for a person

  auth: { local: { users: [{ username: NAME, passwordHash: '...', roles: [admin] }] } }

and for a program

  auth: { local: { clients: [{ clientId: NAME, clientSecretHash: '...', roles: [admin] }] } }

or into Vault, with a reference in its place.`,
  async run(args, io) {
    parseOptions(args, {});
    const password = (await io.readPassword('Password: ')).replace(/\r?\n$/, '');
    if (Array.from(password).length < SHORTEST)
      throw new UsageError(`the password has fewer than ${SHORTEST} characters`);
    io.out(`${await hashPassword(new Secret(password))}\n`);
    return EXIT.ok;
  },
};
