import { openLocalIssuer } from '../auth/local-issuer.js';
import { systemClock } from '../core/lib/clock.js';
import { createConfigLoader, settingsOf } from '../server/config-loader.js';
import { type Command, CONFIG_OPTION_HELP, configPath, EXIT, parseOptions, UsageError } from './command.js';

/** Issues a token of the built-in issuer. */
export const token: Command = {
  name: 'token',
  summary: "issue a token with this server's signing key",
  help: `Usage: gatehouse token --role ROLE [--role ROLE] [--subject NAME] [--ttl SECONDS] [--config PATH]

Prints a token of the built-in issuer, signed with the key file of auth.local. Every user
who can read that file can issue tokens. Use the command for first steps and for scripts
on the server. For example:

  curl -H "Authorization: Bearer $(gatehouse token --role admin)" ...

Options:
  --role ROLE     admin or engineering; may be repeated
  --subject NAME  subject of the token (default: operator)
  --ttl SECONDS   lifetime of the token (default: auth.local.tokenTtlSeconds)
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const options = parseOptions(args, {
      role: { type: 'string', multiple: true },
      subject: { type: 'string', default: 'operator' },
      ttl: { type: 'string' },
      config: { type: 'string' },
    });
    const roles = options.role ?? [];
    if (roles.length === 0) throw new UsageError('name at least one role, for example --role admin');
    const preparation = await createConfigLoader({
      configPath: configPath(options.config, io.env),
      env: io.env,
    });
    const { local } = settingsOf(await preparation.read()).auth;
    if (!local.enabled)
      throw new UsageError('auth.local.enabled is false: get a token from your identity provider');
    const issuer = await openLocalIssuer({ ...local, clock: systemClock, createKey: true });
    const ttlSeconds = options.ttl === undefined ? {} : { ttlSeconds: seconds(options.ttl) };
    io.out(`${issuer.issueToken({ subject: options.subject, roles, ...ttlSeconds })}\n`);
    return EXIT.ok;
  },
};

function seconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--ttl takes a number of seconds');
  return Number(text);
}
