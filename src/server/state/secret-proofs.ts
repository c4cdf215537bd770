import type { Connection } from '../../core/adapter.js';
import type { SecretVersion } from '../../core/attempt.js';
import type { Log } from '../../core/log.js';
import { proofText, type SecretProof, triedSecrets } from '../../core/secret-proof.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Clock } from '../../lib/clock.js';
import { Semaphore } from '../../lib/semaphore.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { Origin } from './handle.js';

/** An adapter that was built with rotated secrets. */
export interface RotatedAdapter {
  readonly instance: AdapterInstance;
  readonly mode: AdapterSettings['secretRotation'];
  readonly origin: Origin;
  /** What the adapter in use was built from, and its instance. */
  readonly previous: { readonly origin: Origin; readonly value: AdapterInstance };
}

/** Called after each result. */
type ProofListener = (adapter: string, proof: SecretProof) => void;

type Told = NonNullable<Awaited<ReturnType<NonNullable<AdapterInstance['prove']>>>>;

interface KnownProof extends SecretProof {
  /** Fingerprint of the secrets that were tried. */
  readonly fingerprint: string;
}

/** Maximum number of concurrent proofs: one secret may belong to many adapters. */
const MAX_PROOFS = 4;

/**
 * Tries rotated secrets once at their orchestrators, and keeps the latest result of each adapter. Refused secrets are not tried
 * again, because each refusal may count towards a lock of the account, unless the orchestrator refuses the former ones too.
 */
export class SecretProofs {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #slots = new Semaphore(MAX_PROOFS);
  readonly #proofs = new Map<string, KnownProof>();
  readonly #planned = new Map<string, RotatedAdapter>();
  readonly #listeners: ProofListener[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns the latest result of an adapter; undefined without one, and if the adapter has disproved a refusal since. */
  of(adapter: AdapterInstance): SecretProof | undefined {
    const proof = this.#proofs.get(adapter.id);
    return proof && isDisproved(proof, adapter.connection()) ? undefined : proof;
  }

  onProof(listener: ProofListener): void {
    this.#listeners.push(listener);
  }

  /** Forgets the result of an adapter: its secrets may be tried again. */
  forget(adapter: string): void {
    this.#proofs.delete(adapter);
    this.#planned.delete(adapter);
  }

  /**
   * Returns why the former secrets stay in use without another test: with `test-first`, the orchestrator refused the new ones, and
   * has not refused the former ones.
   */
  knownRefusalOf(rotated: RotatedAdapter): string | undefined {
    const known = this.#proofs.get(rotated.instance.id);
    if (rotated.mode !== 'test-first' || isFormerRefused(rotated) || known?.verdict !== 'refused')
      return undefined;
    return known.fingerprint === rotated.origin.secrets?.fingerprint ? refusalText(known) : undefined;
  }

  /**
   * Tries the secrets before they are used, if the adapter wants that. Returns why the former secrets stay in use; undefined if
   * the new ones are used, which are then tried after the swap.
   */
  async refusalOf(rotated: RotatedAdapter): Promise<string | undefined> {
    const { instance, mode } = rotated;
    this.#planned.delete(instance.id);
    if (mode === 'untested' || !instance.prove) return undefined;
    if (mode === 'switch') {
      this.#planned.set(instance.id, rotated);
      return undefined;
    }
    const told = await instance.prove();
    if (!told) return undefined;
    const isInUse = told.verdict !== 'refused' || isFormerRefused(rotated);
    const proof = this.#note(rotated, told, isInUse);
    return isInUse ? undefined : refusalText(proof);
  }

  /** Notes that the orchestrator refused the secrets during the start of the adapter, so that the former ones stay in use. */
  noteRefusedStart(rotated: RotatedAdapter, reason: string): void {
    this.#planned.delete(rotated.instance.id);
    const known = this.#proofs.get(rotated.instance.id);
    if (known?.verdict === 'refused' && known.fingerprint === rotated.origin.secrets?.fingerprint) return;
    this.#note(rotated, { verdict: 'refused', reason }, false);
  }

  /** Tries the secrets that are in use now, and drops the results of adapters that do not exist. Does not wait. */
  followSwap(adapters: ReadonlyMap<string, AdapterInstance>): void {
    for (const id of [...this.#proofs.keys()]) if (!adapters.has(id)) this.forget(id);
    for (const [id, rotated] of [...this.#planned]) {
      this.#planned.delete(id);
      if (adapters.get(id) === rotated.instance) void this.#slots.run(() => this.#prove(rotated));
    }
  }

  async #prove(rotated: RotatedAdapter): Promise<void> {
    const told = await rotated.instance.prove?.();
    if (told) this.#note(rotated, told, true);
  }

  #note({ instance, origin, previous }: RotatedAdapter, told: Told, isInUse: boolean): SecretProof {
    const { fingerprint = '', versions = new Map<string, SecretVersion>() } = origin.secrets ?? {};
    const pointers = rotatedPointers(versions, previous.origin.secrets?.versions);
    const at = Math.floor(this.#clock.now());
    const tried = pointers.flatMap((pointer) => versions.get(pointer)?.version ?? []);
    const proof = { at, ...told, versions: [...new Set(tried)], pointers, isInUse, fingerprint };
    this.#proofs.set(instance.id, proof);
    this.#log[told.verdict === 'refused' ? 'error' : 'info']('rotated secret tested', {
      adapter: instance.id,
      result: proofText(proof),
      pointers,
      ...(told.reason !== undefined && { reason: told.reason }),
    });
    for (const listener of this.#listeners) listener(instance.id, proof);
    return proof;
  }
}

function isFormerRefused({ previous }: RotatedAdapter): boolean {
  return previous.value.connection().state === 'LOGIN_REFUSED';
}

function refusalText(proof: SecretProof): string {
  const { reason = '' } = proof;
  return `the orchestrator refused ${triedSecrets(proof)}, so the former value stays in use: ${reason}`;
}

/** Returns the pointers with another version; all of them if versions tell nothing, as for files and leased credentials. */
function rotatedPointers(
  versions: ReadonlyMap<string, SecretVersion>,
  former: ReadonlyMap<string, SecretVersion> = new Map(),
): readonly string[] {
  const changed = [...versions].filter(([pointer, { version }]) => {
    return version !== null && former.get(pointer)?.version !== version;
  });
  return (changed.length > 0 ? changed : [...versions]).map(([pointer]) => pointer);
}

/** Returns true for a refusal that the connection has disproved since: the orchestrator accepts the secrets now. */
function isDisproved({ at, verdict, isInUse }: SecretProof, connection: Connection): boolean {
  const { state, lastOkAt = 0 } = connection;
  return verdict !== 'accepted' && isInUse && state === 'ONLINE' && lastOkAt > at;
}
