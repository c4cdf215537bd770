import type { AdapterInstance } from '../domain/snapshot.js';
import { buildAdapter } from './build-adapter.js';
import type { SnapshotInput } from './snapshot-input.js';
import type { DesiredAdapter } from './desired.js';
import { fingerprintOf } from './fingerprint.js';
import { keepPart, type NextPart } from './next-part.js';
import { Part } from './part.js';
import type { ResolvedPiece } from './resolve-pieces.js';
import { startNew, objectionTo } from './start-adapter.js';

/** The former adapter where nothing about it changed; or a new one, unless the former one serves and the new one would not. */
export async function nextAdapter(
  desired: DesiredAdapter,
  input: SnapshotInput,
): Promise<NextPart<AdapterInstance>> {
  const { id } = desired;
  const former = input.former?.parts.get(id);
  if (former && input.only && !input.only.has(id)) return keepPart(former, input.former?.outdated.get(id));
  const resolved = input.resolved(desired);
  const fingerprint = await fingerprintOfAdapter(desired, resolved);
  if (former?.origin.fingerprint === fingerprint) return keepPart(former);
  const built = await buildAdapter(desired, resolved, input);
  if ('faults' in built) return built;
  const part = partOf(built.instance, { desired, resolved, fingerprint, input });
  if (former?.value.state().name === 'RUNNING') return replace(former, part, input);
  await startNew(part.value);
  return { part };
}

/** The new part if it works; else the one that serves, and the new one is closed. */
async function replace(
  former: Part<AdapterInstance>,
  part: Part<AdapterInstance>,
  input: SnapshotInput,
): Promise<NextPart<AdapterInstance>> {
  const reason = await objectionTo(part.value);
  if (reason === undefined) return { part };
  await part.release();
  const { id } = former.value;
  if (reason !== input.former?.outdated.get(id))
    input.log.error('adapter not replaced: the new one does not work, the former one serves on', {
      adapter: id,
      reason,
    });
  return keepPart(former, reason);
}

function fingerprintOfAdapter(
  { plugin }: DesiredAdapter,
  { value, failures, files }: ResolvedPiece,
): Promise<string> {
  const failed = failures.map(({ code, pointer }) => [code, pointer]);
  return fingerprintOf([plugin.type, failed, value ?? null], [...files.values()]);
}

interface Making {
  readonly desired: DesiredAdapter;
  readonly resolved: ResolvedPiece;
  readonly fingerprint: string;
  readonly input: SnapshotInput;
}

function partOf(instance: AdapterInstance, making: Making): Part<AdapterInstance> {
  const { desired, resolved, fingerprint, input } = making;
  const unmask = input.redactor.add(resolved.fromVault);
  return new Part(instance, { fingerprint, references: desired.references }, async () => {
    unmask();
    await instance.close();
  });
}
