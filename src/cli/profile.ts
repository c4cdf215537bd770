import { withConfiguredStore } from './configured-store.js';
import { type Command, CONFIG_OPTION_HELP, configPath, EXIT, parseOptions } from './lib/command.js';

/**
 * Reports or deactivates the active profile. Recovers a server that does not start because its active profile
 * no longer fits.
 */
export const profile: Command = {
  name: 'profile',
  help: `Usage: gatehouse profile [--none] [--json] [--config PATH]

Prints which profile of the store is active. Use --none for a server that does not start because
its active profile no longer fits the configuration. A running server follows within two seconds,
and logs the result. Activate another profile through the API (PUT /profiles/:id/active).

Options:
  --none          deactivate the profile: only the files of the configuration apply
  --json          print the active profile as JSON: {"active": NAME or null, "was": NAME or null}
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const options = parseOptions(args, {
      none: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      config: { type: 'string' },
    });
    const input = { configPath: configPath(options.config, io.env), env: io.env };
    await withConfiguredStore(input, async ({ platform }) => {
      const { profile: active } = await platform.read();
      if (options.none && active) await platform.activate(undefined);
      const was = active?.name ?? null;
      const now = options.none ? null : was;
      io.out(options.json ? `${JSON.stringify({ active: now, was })}\n` : `${describe(now, was)}\n`);
    });
    return EXIT.ok;
  },
};

function describe(now: string | null, was: string | null): string {
  if (now !== null) return `the active profile is "${now}"`;
  if (was === null) return 'no profile is active';
  return `no profile is active; it was "${was}". A running server follows within two seconds.`;
}
