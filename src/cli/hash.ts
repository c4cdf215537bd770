import { hashPassword } from '../auth/password-hash.js';
import { whyGuessable } from '../auth/weak-password.js';
import { Secret } from '../core/secret.js';
import { type Command, EXIT, parseOptions, UsageError } from './command.js';

/** NIST SP 800-63B, section 5.1.1.2. */
const MIN_PASSWORD_LENGTH = 8;

/** Creates the hash of a password, so that no configuration needs the password itself. */
export const hash: Command = {
  name: 'hash',
  help: `Usage: gatehouse hash

Asks for a password (or reads it from standard input) and prints its scrypt hash in
PHC format. The password must have at least 8 characters and be hard to guess: no common
word, no word about this server, no sequence of keys. For example:

  printf %s "$PASSWORD" | gatehouse hash

Write the hash into the configuration unchanged, in single quotes: for a person

  auth: { local: { users: [{ username: NAME, passwordHash: '...', roles: [admin] }] } }

and for a program

  auth: { local: { clients: [{ clientId: NAME, clientSecretHash: '...', roles: [admin] }] } }

or store it in Vault, and write a reference instead.`,
  async run(args, io) {
    parseOptions(args, {});
    const password = (await io.readPassword('Password: ')).replace(/\r?\n$/, '');
    if (Array.from(password).length < MIN_PASSWORD_LENGTH)
      throw new UsageError(`the password has fewer than ${MIN_PASSWORD_LENGTH} characters`);
    const weakness = whyGuessable(password);
    if (weakness !== undefined) throw new UsageError(`the password ${weakness}, so it is easy to guess`);
    io.out(`${await hashPassword(new Secret(password))}\n`);
    return EXIT.ok;
  },
};
