import { type Command, EXIT, parsePositionals } from './command.js';
import { serverOf, withServer } from './login/with-server.js';

/** Shows who the user of the shell is for a gatehouse. */
export const whoami: Command = {
  name: 'whoami',
  help: `Usage: gatehouse whoami [URL] [--json]

Asks the gatehouse at URL (default: that of the latest login) who you are, and prints your name, the
issuer of your token and your roles.

Options:
  --json          print a JSON object

Exit codes: 0 signed in, 77 not signed in or refused, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, { json: { type: 'boolean', default: false } });
    return withServer({ command: 'whoami', url: serverOf(positionals), io }, async ({ gateway, session }) => {
      const { accessToken, expiresAt, refreshToken } = session.entry;
      const { username, provenance: issuer, roles } = await gateway.whoAmI(accessToken);
      const { url } = session;
      const expires = new Date(expiresAt).toISOString();
      const isRenewed = refreshToken !== undefined;
      if (values.json)
        io.out(`${JSON.stringify({ url, username, issuer, roles, expires, isRenewed }, null, 2)}\n`);
      else
        io.out(`${username}
  server  ${url}
  issuer  ${issuer === 'local_aaa' ? 'the server itself' : issuer}
  roles   ${roles.length === 0 ? 'none' : roles.join(', ')}
  token   valid until ${expires}${isRenewed ? '; it is renewed before that' : ''}
`);
      return EXIT.ok;
    });
  },
};
