import type { ReferencePage } from './page.js';
import { blocks, code, table } from './write-markdown.js';

/** The environment variables that the code reads by name. A test finds every use. */
export const VARIABLES: Readonly<Record<string, string>> = {
  GATEHOUSE_CONFIG:
    'Main file of the commands, if there is no `--config`; without both, `config/gatehouse.yaml`.',
  VAULT_TOKEN:
    'Token for Vault with `vault.auth.method: token`. `vault.auth.tokenEnv` may name another variable.',
  VAULT_SKIP_VERIFY: 'Must not be set: the certificate of Vault is always verified.',
  GATEHOUSE_URL: 'Server of `gatehouse dump`, `diff`, `apply` and `whoami`, if the command line names none.',
  GATEHOUSE_TOKEN: 'Token for the server in `GATEHOUSE_URL`, in place of a login.',
  GATEHOUSE_CA_FILE: 'PEM file of the CA certificates to trust for the server in `GATEHOUSE_URL`.',
  HOME: 'Home folder of the user, in which `gatehouse login` stores tokens.',
  XDG_CONFIG_HOME:
    'Folder of `gatehouse/tokens.json`, the tokens of `gatehouse login`; without it, `$HOME/.config`.',
  DISPLAY: 'On Linux, `gatehouse login` opens a browser only if this variable or `WAYLAND_DISPLAY` is set.',
  WAYLAND_DISPLAY: 'See `DISPLAY`.',
  LISTEN_FDS: 'Number of sockets from systemd (socket activation), which must be 1.',
  LISTEN_PID: 'Process that the sockets from systemd are for.',
  NOTIFY_SOCKET: 'Socket of systemd for the state of the service.',
  WATCHDOG_USEC: 'Time after which systemd restarts a service that does not report, in microseconds.',
  WATCHDOG_PID: 'Process that the watchdog of systemd is for.',
  PATH: 'Folders of the program `systemd-notify`.',
};

/** Variables that Node.js reads. */
const OF_NODE: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS:
    'PEM file of CA certificates to trust in addition to those of Node.js, where no `caFile` is set.',
  NODE_OPTIONS: 'Options of Node.js.',
  UV_THREADPOOL_SIZE: 'Number of threads for files, name lookups and password hashes.',
};

export const environment: ReferencePage = {
  file: 'environment.md',
  title: 'Environment variables',
  about: 'The environment variables that gatehouse reads.',
  body: () =>
    blocks(
      'The strings of a configuration may name further variables: `${NAME}`, or `${NAME:-default}`. Call workers receive only the variables that Node.js and the operating system need.',
      tableOf(VARIABLES),
      '## Variables of Node.js',
      tableOf(OF_NODE),
    ),
};

function tableOf(variables: Readonly<Record<string, string>>): string {
  return table(
    ['Variable', 'Meaning'],
    Object.entries(variables).map(([name, meaning]) => [code(name), meaning]),
  );
}
