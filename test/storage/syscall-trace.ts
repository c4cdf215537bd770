/** File operations of a process, in order. */
export type FileEvent =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  /** Text that the process wrote to standard output. */
  | { readonly kind: 'said'; readonly text: string };

/** Arguments of strace that record these events with every byte. */
export const TRACE = [
  '-f',
  '-xx',
  '-s',
  '1000000',
  '-e',
  'trace=openat,close,pwrite64,write,fsync,fdatasync,ftruncate',
];

/** Parses the output of strace. Files are identified by the ends of their paths; other files are ignored. */
export function readTrace(trace: string, files: readonly string[]): readonly FileEvent[] {
  /** Files by their descriptors. */
  const open = new Map<string, string>();
  return callsIn(trace).flatMap((call): readonly FileEvent[] => {
    const { name, args, result } = call;
    const [descriptor = '', path = ''] = args;
    if (name === 'openat') {
      const known = files.find((ending) => decode(path).toString().endsWith(ending));
      if (known !== undefined && Number(result) >= 0) open.set(result, known);
    }
    if (name === 'close') open.delete(descriptor);
    if (name === 'write' && descriptor === '1') return [{ kind: 'said', text: decode(path).toString() }];
    const file = open.get(descriptor);
    return file === undefined || Number(result) < 0 ? [] : eventOf(call, file);
  });
}

function eventOf({ name, args }: SystemCall, file: string): readonly FileEvent[] {
  const [, second = '', , fourth = ''] = args;
  if (name === 'pwrite64') return [{ kind: 'write', file, at: Number(fourth), bytes: decode(second) }];
  if (name === 'ftruncate') return [{ kind: 'truncate', file, length: Number(second) }];
  return name.endsWith('sync') ? [{ kind: 'sync', file }] : [];
}

interface SystemCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly result: string;
}

/**
 * Joins the calls in the order of their ends: a call that another thread interrupts is split into two lines.
 */
function callsIn(trace: string): readonly SystemCall[] {
  const unfinishedCalls = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const [unfinished] = rest.split(' <unfinished ...>');
    if (unfinished !== undefined && unfinished !== rest) {
      unfinishedCalls.set(thread, unfinished);
      return [];
    }
    const whole = rest.replace(/^<\.\.\. \w+ resumed>/, () => unfinishedCalls.get(thread) ?? '');
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(whole) ?? [];
    return name === '' ? [] : [{ name, args: args.split(', '), result }];
  });
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/[^0-9a-f]/g, ''), 'hex');
}
