import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const PROGRAM = join(
  dirname(require.resolve('yaml-language-server/package.json')),
  'bin',
  'yaml-language-server',
);

/** One problem that an editor marks; line and column count from 1. */
interface Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The YAML language server that editors use, as a process that speaks LSP over its standard streams. */
export interface YamlLanguageServer {
  /** Opens a text as the file at this path, and returns the problems in it. The file need not exist. */
  readonly diagnose: (path: string, text: string) => Promise<readonly Diagnostic[]>;
  /** Returns the labels of the completions at the end of a text. */
  readonly complete: (path: string, text: string) => Promise<readonly string[]>;
  /** Returns the text that an editor shows for the first occurrence of a word. */
  readonly hover: (path: string, text: string, word: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

// Without the store of schemas, the server requests no file of the internet.
const SETTINGS = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
};

/** Options of {@link startYamlLanguageServer}. */
interface LanguageServerOptions {
  /** Folder that is opened in the editor. */
  readonly folder?: string;
  /** The setting `yaml.schemas`: patterns of files by schema. */
  readonly schemas?: Readonly<Record<string, unknown>>;
}

export async function startYamlLanguageServer({
  folder,
  schemas = {},
}: LanguageServerOptions = {}): Promise<YamlLanguageServer> {
  const settings = { yaml: { ...SETTINGS.yaml, schemas } };
  const child = spawn(process.execPath, [PROGRAM, '--stdio'], { stdio: 'pipe' });
  const replies = new Map<number, (message: Message) => void>();
  const published = new Map<string, (params: PublishedDiagnostics) => void>();
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let requests = 0;
  const request = async (method: string, params: unknown): Promise<unknown> => {
    requests += 1;
    const id = requests;
    const reply = new Promise<Message>((resolve) => replies.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await reply;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  onMessages(child, ({ id, method, params, ...rest }) => {
    if (method === undefined) replies.get(Number(id))?.({ params, ...rest });
    else if (method === 'textDocument/publishDiagnostics') {
      const diagnostics = params as PublishedDiagnostics;
      published.get(diagnostics.uri)?.(diagnostics);
    } else if (id !== undefined)
      send({ id, result: method === 'workspace/configuration' ? configurationOf(params, settings) : null });
  });
  await request('initialize', {
    processId: process.pid,
    rootUri: folder === undefined ? null : pathToFileURL(folder).href,
    workspaceFolders:
      folder === undefined ? null : [{ uri: pathToFileURL(folder).href, name: 'configuration' }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: { hover: {}, completion: {} },
    },
  });
  send({ method: 'initialized', params: {} });
  send({ method: 'workspace/didChangeConfiguration', params: { settings } });
  const open = async (path: string, text: string): Promise<PublishedDiagnostics> => {
    const uri = pathToFileURL(path).href;
    const diagnostics = new Promise<PublishedDiagnostics>((resolve) => published.set(uri, resolve));
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
    });
    return diagnostics;
  };
  const closeFile = (uri: string): void => {
    published.delete(uri);
    send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
  };
  /** Asks about a position of an open text. */
  const ask = async (
    method: string,
    [path, text]: readonly [string, string],
    offset: number,
  ): Promise<unknown> => {
    const { uri } = await open(path, text);
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const result = await request(method, { textDocument: { uri }, position });
    closeFile(uri);
    return result;
  };
  return {
    async diagnose(path, text) {
      const { uri, diagnostics } = await open(path, text);
      closeFile(uri);
      return diagnostics.map(({ message, range: { start } }) => ({
        line: start.line + 1,
        column: start.character + 1,
        message,
      }));
    },
    async complete(path, text) {
      const result = (await ask('textDocument/completion', [path, text], text.length)) as {
        readonly items: readonly { readonly label: string }[];
      };
      return result.items.map(({ label }) => label);
    },
    async hover(path, text, word) {
      const result = await ask('textDocument/hover', [path, text], text.indexOf(word) + 1);
      return JSON.stringify(result);
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await request('shutdown', null);
      send({ method: 'exit', params: null });
      await ended;
    },
  };
}

interface PublishedDiagnostics {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
  }[];
}

function configurationOf(params: unknown, settings: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { items } = params as { readonly items: readonly { readonly section?: string }[] };
  return items.map(({ section }) => settings[section ?? ''] ?? null);
}

/** Calls a listener for each message of the base protocol of LSP. */
function onMessages(child: ChildProcessWithoutNullStreams, listener: (message: Message) => void): void {
  let received: Buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]);
      if (received.length < end + 4 + length) return;
      const body = received.toString('utf8', end + 4, end + 4 + length);
      received = received.subarray(end + 4 + length);
      listener(JSON.parse(body) as Message);
    }
  });
}
