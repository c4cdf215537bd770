import type { Clock } from '../lib/clock.js';
import { operatorAdvice, Problem } from './problem.js';

/** The steps of a connection test, in their order. */
export const CONNECTION_STEPS = ['name', 'tcp', 'tls', 'login', 'read'] as const;

type ConnectionStepName = (typeof CONNECTION_STEPS)[number];

export interface PresentedCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** End of its validity, in milliseconds since 1970. */
  readonly notAfter: number;
}

/** Result of one step of a connection test. Contains no secret. */
export interface ConnectionStep {
  readonly step: ConnectionStepName;
  /** `skipped`: the step does not apply, or an earlier step failed. */
  readonly verdict: 'ok' | 'warning' | 'failed' | 'skipped';
  /** Duration in milliseconds; null if the step sent nothing. */
  readonly ms: number | null;
  /** What the step found, as a sentence. */
  readonly message: string;
  /** What to do about it; null if there is nothing to do. */
  readonly fix: string | null;
  readonly certificate?: PresentedCertificate;
}

/** Returns a step that was not made. */
export function skippedStep(
  step: ConnectionStepName,
  message = 'Not tested, because an earlier step failed.',
): ConnectionStep {
  return { step, verdict: 'skipped', ms: null, message, fix: null };
}

/** Returns true if a step failed, so that later steps are not made. */
export function hasFailed(steps: readonly ConnectionStep[]): boolean {
  return steps.some(({ verdict }) => verdict === 'failed');
}

/** Returns a text as a sentence: with a capital letter, and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/\.$/, '');
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}

export type StepFinding = Pick<ConnectionStep, 'message' | 'certificate'> &
  Partial<Pick<ConnectionStep, 'verdict' | 'fix'>>;

/** Ends a step with a failure that has its own words. */
export class StepFailure extends Error {
  readonly finding: StepFinding;

  constructor(finding: StepFinding) {
    super(finding.message);
    this.name = 'StepFailure';
    this.finding = finding;
  }
}

/**
 * Runs a step and measures it. A `StepFailure` or a Problem becomes the verdict `failed`; any other error is a bug and is thrown,
 * and so is the Problem of a caller who left.
 */
export async function runStep(
  step: ConnectionStepName,
  clock: Clock,
  work: () => Promise<StepFinding>,
): Promise<ConnectionStep> {
  const startedAt = clock.now();
  const finish = (finding: StepFinding, verdict: ConnectionStep['verdict']): ConnectionStep => ({
    step,
    verdict,
    ms: Math.max(0, Math.round(clock.now() - startedAt)),
    fix: null,
    ...finding,
  });
  try {
    const finding = await work();
    return finish(finding, finding.verdict ?? 'ok');
  } catch (error) {
    return finish(failureFinding(error), 'failed');
  }
}

function failureFinding(error: unknown): StepFinding {
  if (error instanceof StepFailure) return error.finding;
  if (!(error instanceof Problem) || error.code === 'caller_gone') throw error;
  return { message: asSentence(error.message), fix: operatorAdvice(error) ?? null };
}
