import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, FLAGS } from '../../test/support/gatehouse-command.js';
import { type ContenderOptions, TOKENS } from './contender.js';
import { CPU, launch, type Program } from './program.js';

/** How large a configuration is, and how its tokens are signed. */
interface Extent {
  /** Number of adapters; one of them is named `bench`. */
  readonly adapters?: number;
  readonly algorithm?: string;
  /** Processes that serve calls. */
  readonly workers?: number;
}

/** A build of gatehouse: its file, and the options of Node.js that it is started with. */
interface Build {
  readonly command: string;
  readonly flags: readonly string[];
}

/** The build of this checkout. */
const OWN_BUILD: Build = { command: COMMAND, flags: FLAGS };

/** Starts gatehouse as its unit of systemd does. */
export function startGatehouse(
  place: ContenderOptions,
  extent: Extent = {},
  { command, flags }: Build = OWN_BUILD,
): Promise<Program> {
  const config = writeConfiguration(place, extent);
  const preload = place.preload === undefined ? [] : ['--import', place.preload];
  return launch({
    command: process.execPath,
    args: [...flags, ...preload, command, 'serve', '--config', config],
    cpu: CPU.contender,
    port: place.port,
    log: join(place.folder, 'output.log'),
    env: { MALLOC_ARENA_MAX: '2' },
  });
}

/**
 * Writes a configuration with all features that are on by default; returns its path. Records and store are files in the default
 * folder, outside of that of the configuration, whose changes wake the process. The log goes to standard output, which is a file.
 */
export function writeConfiguration(place: ContenderOptions, extent: Extent = {}): string {
  const { adapters = 1 } = extent;
  const config = join(configFolder(place), 'gatehouse.yaml');
  mkdirSync(join(configFolder(place), 'adapters'), { recursive: true });
  writeAdapter(place, 'bench');
  for (let at = 1; at < adapters; at += 1) writeAdapter(place, `other-${at}`);
  writeFileSync(config, mainFile(place, extent));
  return config;
}

/** Writes the file of an adapter, with additional lines. */
export function writeAdapter(place: ContenderOptions, name: string, more = ''): void {
  const text = `plugin: http-rest\nbaseUrl: http://127.0.0.1:${place.upstreamPort}\n${more}`;
  writeFileSync(join(configFolder(place), 'adapters', `${name}.yaml`), text);
}

function configFolder({ folder }: ContenderOptions): string {
  return join(folder, 'config');
}

function mainFile(
  { port, publicKeyFile }: ContenderOptions,
  { algorithm = 'RS256', workers = 1 }: Extent,
): string {
  return `server: { listen: "127.0.0.1:${port}", workers: ${workers} }
auth:
  local: { keyFile: local-issuer.pem }
  issuers:
    - issuer: ${TOKENS.issuer}
      audience: ${TOKENS.audience}
      algorithms: [${algorithm}]
      publicKeyFile: ${publicKeyFile}
      rolesClaim: /roles
`;
}
