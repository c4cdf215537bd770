import type { AdmitCall, LimitedAdmission, LimitedCall, LimitRule } from '../../src/core/limits.js';
import type { AdmitQuery } from '../../src/http/limit-caller.js';

/** Returns a rule with the defaults of the settings. */
export function limitRule(rule: Partial<LimitRule>): LimitRule {
  return {
    enabled: true,
    per: 'subject',
    operations: [],
    adapters: [],
    roles: [],
    callerNames: [],
    requests: null,
    periodSeconds: 60,
    burst: null,
    concurrent: null,
    ...rule,
  };
}

export function limitedCall(subject = 'ada', more: Partial<LimitedCall> = {}): LimitedCall {
  return {
    operations: ['orchestrator-manager.restQuery'],
    isMonitoring: false,
    adapter: 'core1',
    principal: { subject, issuer: 'https://idp.test', roles: ['admin'] },
    address: '192.0.2.1',
    ...more,
  };
}

/** Admits a call of limits that decide at once. */
export function admitNow(admit: AdmitCall, call: LimitedCall): LimitedAdmission | undefined {
  const admission = admit(call);
  if (admission instanceof Promise) throw new Error('the limits did not decide at once');
  return admission;
}

/** Admits every query. */
export const UNLIMITED: AdmitQuery = () => Promise.resolve(() => undefined);
