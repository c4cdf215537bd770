import assert from 'node:assert/strict';
import type { UpstreamReply } from '../../../src/core/adapter.js';
import type { TestAdapter } from '../netconf/adapter.js';

export const YANG = 'application/yang-data+json';
export const DATA = '/restconf/data';
export const LIST = `${DATA}/ietf-interfaces:interfaces`;
export const ETH0 = `${LIST}/interface=eth0`;
export const GIGABIT = `${LIST}/interface=GigabitEthernet0%2F1`;
export const RESTART = '/restconf/operations/gatehouse-demo:restart-interface';

/** What a call sends besides its method and path. */
interface Sent {
  readonly body?: unknown;
  readonly accept?: string;
  readonly contentType?: string;
}

/** A device behind a plugin, with one-line calls. */
export interface Device {
  /** Sends `call('GET /path')`; a body is JSON unless it is a text. */
  readonly call: (line: string, sent?: Sent) => Promise<UpstreamReply>;
  /** Returns the value of a successful GET. */
  readonly get: (path: string, pointer?: string) => Promise<unknown>;
  /** Returns the status of a call, and the error-tag of a failed one: `404 invalid-value`. */
  readonly outcome: (line: string, sent?: Sent) => Promise<string>;
}

/** Returns the device behind an adapter. */
export function deviceOf(adapter: TestAdapter): Device {
  return {
    call: (line, { body, ...terms } = {}) => adapter.call(line, body, terms),
    get: (path, pointer) => adapter.get(path, pointer),
    async outcome(line, { body, ...terms } = {}) {
      const [statusAndTag = ''] = (await adapter.outcome(line, body, terms)).split(': ');
      return statusAndTag;
    },
  };
}

/** A check of the contract, which holds for every plugin that is called with RESTCONF. */
export interface Check {
  readonly title: string;
  /** Present for a check that needs state, or an operation with an output, at the device. */
  readonly needs?: 'state' | 'output';
  run(device: Device): Promise<void>;
}

/** A check that expects the outcome of one call. */
type OutcomeCheck = readonly [title: string, line: string, expected: string, sent?: Sent];

/** Returns checks that each expect the outcome of one call. */
export function outcomeChecks(checks: readonly OutcomeCheck[]): readonly Check[] {
  return checks.map(([title, line, expected, sent]) => ({
    title,
    async run({ outcome }) {
      assert.equal(await outcome(line, sent), expected);
    },
  }));
}

/** Returns a check that expects the value of a resource. */
export function valueCheck(title: string, path: string, expected: unknown): Check {
  return {
    title,
    async run({ get }) {
      assert.deepEqual(await get(path), expected);
    },
  };
}
