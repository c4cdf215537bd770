import { asSettings } from './config/settings-schema.js';
import { systemClock } from './domain/clock.js';
import { faultAt, type Fault } from './domain/fault.js';
import { silentLog } from './domain/log.js';
import { type PrepareInput, prepare } from './prepare.js';
import { connectRooms } from './rooms.js';
import { buildAdapter } from './runtime/build-adapter.js';
import type { BuildInput } from './runtime/build-input.js';
import { buildMain } from './runtime/build-main.js';
import type { Desired } from './runtime/desired.js';
import { type Piece, placeFault } from './runtime/piece.js';
import { type ResolvedPiece, resolvePieces } from './runtime/resolve-pieces.js';
import { standInSecrets } from './runtime/stand-in-secrets.js';
import { openSecrets } from './secrets/resolve.js';
import { openHttpClient } from './upstream/client.js';

export interface CheckInput extends PrepareInput {
  /** True also reads every secret from Vault; no value is kept. */
  readonly probe: boolean;
}

export interface Checked {
  readonly faults: readonly Fault[];
  /** How many adapters are configured. */
  readonly adapters: number;
}

/** Runs the code of a start up to the point where something would be opened, and tells every fault that it meets. */
export async function checkConfig(input: CheckInput): Promise<Checked> {
  const preparation = await prepare(input);
  const { desired, faults } = await preparation.read();
  const sound = soundPart(desired, faults);
  const built = [...(await tryMain(sound)), ...(await tryAdapters(sound))];
  const probed = input.probe ? await probe(sound, input) : [];
  return { faults: [...faults, ...built, ...probed], adapters: desired.adapters.length };
}

/** The pieces in which reading found no fault: the others would only repeat theirs. */
interface SoundPart extends Omit<Desired, 'main'> {
  readonly main?: Piece;
  readonly whole: Desired;
}

function soundPart(desired: Desired, faults: readonly Fault[]): SoundPart {
  const isSound = ({ written }: Piece, inside: (pointer: string) => boolean): boolean =>
    !faults.some(({ file, pointer }) => file === written.document.file && inside(pointer));
  const mainIsSound = isSound(desired.main, (pointer) => !pointer.startsWith('/adapters/'));
  const adapters = desired.adapters.filter((piece) =>
    isSound(piece, (pointer) => pointer.startsWith(piece.written.at)),
  );
  return { ...(mainIsSound && { main: desired.main }), adapters, whole: desired };
}

async function tryMain({ main, whole }: SoundPart): Promise<readonly Fault[]> {
  if (!main) return [];
  const resolved = (await resolvePieces([main], standInSecrets))(main);
  if (hidesBehindReference(resolved, main)) return [];
  const built = await buildMain(resolved, buildInput(whole));
  if ('faults' in built) return built.faults;
  await built.value.verifier.close();
  return [];
}

async function tryAdapters({ adapters, whole }: SoundPart): Promise<readonly Fault[]> {
  const resolved = await resolvePieces(adapters, standInSecrets);
  const found = await Promise.all(
    adapters.map(async (adapter) => {
      const own = resolved(adapter);
      if (hidesBehindReference(own, adapter)) return [];
      const built = await buildAdapter(adapter, own, buildInput(whole));
      if ('faults' in built) return built.faults;
      const state = built.instance.state();
      await built.instance.close();
      return state.name === 'DEAD' ? [deadFault(adapter, state.reason)] : [];
    }),
  );
  return found.flat();
}

/** A stand-in does not fit everywhere: what is wrong at a reference is known only with its value. */
function hidesBehindReference({ failures }: ResolvedPiece, { references }: Piece): boolean {
  return failures.some(({ pointer }) => references.some((reference) => reference.pointer === pointer));
}

function deadFault({ written }: Piece, reason: string): Fault {
  const fix = 'Compare the options with the README of the plugin; its author may have to repair it.';
  return faultAt(written.document, `${written.at}/options`, { code: 'plugin', message: reason, fix });
}

async function probe({ main, adapters, whole }: SoundPart, { env }: CheckInput): Promise<readonly Fault[]> {
  if (!main) return [];
  const { vault } = asSettings(whole.main.written.value);
  const secrets = openSecrets(vault, { openHttpClient, env, clock: systemClock, log: silentLog });
  try {
    const pieces = [main, ...adapters];
    const resolved = await resolvePieces(pieces, secrets);
    return pieces.flatMap((piece) =>
      resolved(piece).failures.map((failure) => placeFault(piece.written, failure)),
    );
  } finally {
    await secrets.close();
  }
}

// What the log would say, the faults say already.
function buildInput(desired: Desired): BuildInput {
  const rooms = connectRooms({ clock: systemClock, log: silentLog });
  return { desired, generation: 0, secrets: standInSecrets, rooms, log: silentLog, clock: systemClock };
}
