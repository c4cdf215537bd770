import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.js';
import { COMMAND } from '../gatehouse-command.js';

const OWN_FILE = '{ file: data/audit.log, durability: written }';

/** Environment of the nodes of a cluster. */
export interface Surroundings {
  /** Holds a folder for each node. */
  readonly folder: string;
  /** Default: a database of each node. */
  readonly storageUrl?: string;
  readonly orchestratorUrl: string;
  /** Members of the block `server`, besides the address. */
  readonly server?: string;
  /** Default: a file of each node. */
  readonly audit?: string;
  /** Users who may log in, as in `auth.local.users`. */
  readonly users?: string;
  /** Arguments of Node.js; default: the program of this checkout. */
  readonly program?: readonly string[];
}

/** `gatehouse serve` as a separate process. */
export class Node {
  readonly url: string;
  readonly port: number;
  /** Log lines of all starts. */
  readonly lines: Readonly<Record<string, unknown>>[] = [];
  /** Counts the starts. A call that began in an earlier life was cut off by a kill. */
  life = 0;
  isUp = false;
  readonly #configPath: string;
  #program: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, configPath: string, program: readonly string[]) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#configPath = configPath;
    this.#program = program;
  }

  /** Writes the configuration of a node and starts the node. All nodes share one signing key. */
  static async open(name: string, surroundings: Surroundings): Promise<Node> {
    const port = await freePort();
    const folder = join(surroundings.folder, name);
    mkdirSync(join(folder, 'adapters'), { recursive: true });
    const { orchestratorUrl, audit = OWN_FILE, users = '[]', program = [COMMAND] } = surroundings;
    const { storageUrl = 'sqlite:data/gatehouse.db', server = '' } = surroundings;
    const configPath = join(folder, 'gatehouse.yaml');
    writeFileSync(
      configPath,
      `server: { listen: "127.0.0.1:${port}", ${server} }
storage: { url: "${storageUrl}" }
audit: ${audit}
egress: { adapters: [127.0.0.0/8] }
forms: { validateTimeoutMs: 20000 }
auth: { local: { keyFile: ../local-issuer.pem, users: ${users} } }
`,
    );
    writeFileSync(join(folder, 'adapters', 'core1.yaml'), `plugin: http-rest\nbaseUrl: ${orchestratorUrl}\n`);
    const node = new Node(port, configPath, program);
    await node.start();
    return node;
  }

  async start(): Promise<void> {
    const args = [...this.#program, 'serve', '--config', this.#configPath];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const lines = createInterface({ input: child.stdout });
    const serves = new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        if (line.startsWith('{')) this.lines.push(JSON.parse(line) as Node['lines'][number]);
        if (line.includes(' serves http')) resolve();
      });
      child.once('close', (code) => {
        reject(new Error(`a node ended with ${code ?? 'a signal'}: ${said.slice(-2000)}`));
      });
    });
    await serves;
    this.life += 1;
    this.isUp = true;
  }

  /** Stops the node, and starts another program on the same configuration. */
  async replace(program: readonly string[]): Promise<void> {
    await this.close();
    this.#program = program;
    await this.start();
  }

  /** Kills the node with SIGKILL. */
  async kill(): Promise<void> {
    this.isUp = false;
    await this.#end('SIGKILL');
  }

  /** Stops the node. Returns its exit code. */
  async close(): Promise<number | null> {
    this.isUp = false;
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return null;
    const close = once(child, 'close');
    child.kill(signal);
    await close;
    return child.exitCode;
  }
}
