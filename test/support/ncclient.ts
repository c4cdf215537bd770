import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Interpreter of the package `python3-ncclient` of Debian. */
const PYTHON = '/usr/bin/python3';

/** Operation of ncclient, and its filter or configuration as XML. */
export type NcclientOperation = readonly [name: 'edit-config' | 'get-config' | 'get', xml: string];

/** Server, and the file with the key of its user. */
interface NcclientPeer {
  readonly port: number;
  readonly username: string;
  readonly key: string;
}

/** Runs operations in one session. Returns the data of a read as XML, `ok` for a change, and `error TAG` for a refusal. */
export async function runNcclient(
  peer: NcclientPeer,
  operations: readonly NcclientOperation[],
): Promise<readonly string[]> {
  const running = promisify(execFile)(PYTHON, ['test/support/netconf-operations.py'], { timeout: 120_000 });
  running.child.stdin?.end(JSON.stringify({ ...peer, operations }));
  const { stdout } = await running;
  return JSON.parse(stdout) as readonly string[];
}
