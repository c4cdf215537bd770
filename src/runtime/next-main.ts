import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../domain/pointer.js';
import type { SnapshotInput } from './snapshot-input.js';
import { buildMain, type MainParts } from './build-main.js';
import { fingerprintOf } from './fingerprint.js';
import { keepPart, type NextPart } from './next-part.js';
import { Part } from './part.js';
import type { ResolvedPiece } from './resolve-pieces.js';

/** What the parts of the main file are made from; the rest of it is opened once in the life of the process. */
const MADE_FROM = ['/auth', '/egress', '/roles'];

/** The former parts where nothing about them changed; or new ones, unless a rotated secret spoilt them. */
export async function nextMain(input: SnapshotInput): Promise<NextPart<MainParts>> {
  const { former, only, desired } = input;
  const { main } = desired;
  if (former && only && !only.has(main.name)) return keepPart(former.main, former.outdated.get(main.name));
  const resolved = input.resolved(main);
  const fingerprint = await fingerprintOfMain(resolved);
  if (former?.main.origin.fingerprint === fingerprint) return keepPart(former.main);
  const built = await buildMain(resolved, input);
  if ('value' in built) return { part: partOf(built.value, { resolved, fingerprint, input }) };
  if (!former || !isDeepStrictEqual(former.desired.main.written.value, main.written.value)) return built;
  // Nobody changed the file: what is wrong came from Vault, and must not stand in the way of the adapters.
  const reason = built.faults.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
  if (former.outdated.get(main.name) !== reason)
    input.log.error('a rotated secret does not fit; the former one stays in use', { faults: built.faults });
  return keepPart(former.main, reason);
}

function fingerprintOfMain({ value, failures, files }: ResolvedPiece): Promise<string> {
  const failed = failures.map(({ code, pointer }) => [code, pointer]);
  const used = [...files].filter(([pointer]) => pointer.startsWith('/auth/issuers/'));
  return fingerprintOf(
    [failed, ...MADE_FROM.map((pointer) => valueAt(value, pointer) ?? null)],
    used.map(([, file]) => file),
  );
}

interface Making {
  readonly resolved: ResolvedPiece;
  readonly fingerprint: string;
  readonly input: SnapshotInput;
}

function partOf(value: MainParts, { resolved, fingerprint, input }: Making): Part<MainParts> {
  const unmask = input.redactor.add(resolved.fromVault);
  const { references } = input.desired.main;
  return new Part(value, { fingerprint, references }, async () => {
    unmask();
    await value.verifier.close();
  });
}
