import { previousKeyFile, readPreviousKey, rotateSigningKey } from '../auth/key-file.js';
import { MAX_LIFETIME_SECONDS } from '../auth/local-issuer.js';
import { ConfigError } from '../core/fault.js';
import { createConfigLoader, settingsOf } from '../server/config-loader.js';
import {
  type Command,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './lib/command.js';

/** Replaces the signing key of the built-in issuer. */
export const rotateKey: Command = {
  name: 'rotate-key',
  help: `Usage: gatehouse rotate-key [--force] [--config PATH]

Replaces the key file of auth.local by a new key. The former key is kept as FILE.previous, and
verifies its tokens for a day, the longest life of a token. A running server accepts tokens of
the new key at once, and signs with it from its next start on. If each node has a copy of the key,
copy both files to every node first. Restart every node within a day.

If the former key is known to others, delete FILE.previous and restart: all of its tokens end.

Options:
  --force         also replace a key that is younger than a day; tokens of the key before it end
${CONFIG_OPTION_HELP}

Exit codes: 0 replaced, 64 the latest rotation was less than a day ago, 78 the key cannot be read or written.`,
  async run(args, io) {
    const options = parseOptions(args, {
      force: { type: 'boolean', default: false },
      config: { type: 'string' },
    });
    const path = configPath(options.config, io.env);
    const loaded = await (await createConfigLoader({ configPath: path, env: io.env })).read();
    const { enabled, keyFile } = settingsOf(loaded).auth.local;
    if (!enabled) throw new UsageError('auth.local.enabled is false: there is no signing key');
    const endsAt = options.force ? 0 : await overlapEnd(keyFile);
    if (endsAt > Date.now())
      throw new UsageError(
        `tokens of the key before the latest rotation are valid until ${new Date(endsAt).toISOString()}; --force ends them`,
      );
    await rotateSigningKey(keyFile, new Date());
    io.out(`${keyFile}: new key. The former key is in ${previousKeyFile(keyFile)} and verifies its tokens for a day.
Restart every node within a day.
`);
    return EXIT.ok;
  },
};

/** Returns the end of the overlap of the latest rotation, in milliseconds since 1970; 0 without one. */
async function overlapEnd(keyFile: string): Promise<number> {
  try {
    const previous = await readPreviousKey(keyFile);
    return previous ? previous.rotatedAt + MAX_LIFETIME_SECONDS * 1000 : 0;
  } catch (error) {
    // A former key that cannot be read verifies nothing.
    if (error instanceof ConfigError) return 0;
    throw error;
  }
}
