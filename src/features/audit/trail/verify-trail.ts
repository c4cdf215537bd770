import type { ChainVerification, VerificationWatch } from '../audit-trail.js';
import type { ChainHead } from '../chain.js';
import { chainFiles, trailFiles } from './trail-files.js';
import { verifyFiles } from './verify.js';

interface TrailToVerify {
  /** The configured audit file. */
  readonly file: string;
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** The file that this process writes, and its last record. */
  readonly own?: { readonly file: string; readonly head: ChainHead | undefined };
  /** A record that one of the chains must contain. */
  readonly expected?: ChainHead | undefined;
}

/** Verifies the chains of all processes of a server, each with the files that were moved away. */
export async function verifyTrail(
  { file, key, own, expected }: TrailToVerify,
  watch: VerificationWatch = {},
): Promise<ChainVerification> {
  const paths = await chainFiles(file);
  const verify = async (
    path: string,
    head: ChainHead | undefined,
    before = 0,
  ): Promise<ChainVerification> => {
    const onProgress = (entries: number): void => watch.onProgress?.(before + entries);
    const files = await trailFiles(path);
    const isNamed = paths.length + files.length > 2;
    return verifyFiles({ files, key, expected: head, isNamed }, { ...watch, onProgress });
  };
  const chains: ChainVerification[] = [];
  for (const path of paths) {
    const before = chains.reduce((sum, { records }) => sum + records, 0);
    chains.push(await verify(path, path === own?.file ? own.head : undefined, before));
  }
  if (expected && !(await hasExpected(paths, (path) => verify(path, expected))))
    chains[0] = await verify(file, expected);
  const [first, ...others] = chains;
  if (!first) throw new Error('The audit trail has no file.');
  return others.length === 0
    ? first
    : withOthers(
        first,
        others.map((chain, at) => ({ file: paths[at + 1] ?? '', ...chain })),
      );
}

async function hasExpected(
  paths: readonly string[],
  verify: (path: string) => Promise<ChainVerification>,
): Promise<boolean> {
  for (const path of paths) if ((await verify(path)).whole) return true;
  return false;
}

/** Returns the verification of the first chain, with those of the others. The first break of any of them counts. */
function withOthers(
  first: ChainVerification,
  others: NonNullable<ChainVerification['others']>,
): ChainVerification {
  const broken = [first, ...others].find((chain) => chain.break)?.break;
  return { ...first, ...(broken && { break: broken }), whole: broken === undefined, others };
}
