import assert from 'node:assert/strict';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import { Problem } from '../../../src/core/problem.js';
import type { XmlElement } from '../../../src/yang/encoding/xml-element.js';
import {
  createNetconfDouble,
  type NetconfDouble,
  type NetconfDoubleOptions,
} from '../../support/netconf-double.js';
import { openedBySuite, openedByTest } from '../../support/opened.js';
import { optionsWith, startAdapter, type TestAdapter } from './adapter.js';
import { DEVICE_MODULE } from './device-module.js';

const BASE = 'urn:ietf:params:netconf:base:';

/** `ietf-inet-types` as far as the module of the device needs it. */
const INET =
  'module ietf-inet-types { namespace "urn:ietf:params:xml:ns:yang:ietf-inet-types"; prefix inet; typedef ip-address { type string; } typedef port-number { type uint16; } }';

/** The module of the device, and the module that it imports. */
export const SCHEMAS = { 'test-device': DEVICE_MODULE, 'ietf-inet-types': INET };

/** Capabilities of a double with the module of the device. */
export const CAPABILITIES: readonly string[] = [
  `${BASE}1.1`,
  'urn:ietf:params:netconf:capability:candidate:1.0',
  'urn:ietf:params:netconf:capability:validate:1.1',
  'urn:test:device?module=test-device&revision=2026-01-01',
];

export const DEVICE = '/restconf/data/test-device:device';

/** Returns the reply to a read with this content of the device. */
export function dataWith(content: string): string {
  return `<data><device xmlns="urn:test:device">${content}</device></data>`;
}

/** Returns a warning of a server. */
export function warning(text: string): string {
  return `<rpc-error><error-severity>warning</error-severity><error-message>${text}</error-message></rpc-error>`;
}

/** Returns a notification with this event. */
export function notification(event = ''): string {
  return `<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime>${event}</notification>`;
}

/** Returns an element as a text without namespaces and attributes. */
export function elementText({ name, text, children }: XmlElement): string {
  return `<${name}>${text.trim()}${children.map(elementText).join('')}</${name}>`;
}

/** The start of a reply, with the number of its call. */
export function replyTo(messageId: string): string {
  return `<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="${messageId}">`;
}

/** Returns the options for a double. */
export function optionsForDouble(
  { port, fingerprint }: Pick<NetconfDouble, 'port' | 'fingerprint'>,
  more: Readonly<Record<string, unknown>> = {},
): NetconfOptions {
  const ssh = { username: 'gatehouse', password: 'a-password', hostKeys: [fingerprint] };
  return optionsWith({ host: '127.0.0.1', port, ssh, ...more });
}

/** Returns functions that start doubles with the module of the device, and adapters for them; both end after each test. */
export function doublesOfTest() {
  return doublesWith(openedByTest());
}

/** Returns these functions for hooks; what they started ends after the suite. */
export function doublesOfSuite() {
  return doublesWith(openedBySuite());
}

function doublesWith(opened: ReturnType<typeof openedByTest>) {
  const openDouble = (options: NetconfDoubleOptions = {}): Promise<NetconfDouble> =>
    opened(createNetconfDouble({ capabilities: CAPABILITIES, schemas: SCHEMAS, ...options }));
  const openAdapter = async (
    double: Pick<NetconfDouble, 'port' | 'fingerprint'>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<TestAdapter> => {
    const device = await startAdapter(optionsForDouble(double, more));
    await opened({ close: () => device.stop() });
    return device;
  };
  /** Starts a double, and an adapter for it. */
  const start = async (options?: NetconfDoubleOptions, more?: Readonly<Record<string, unknown>>) => {
    const double = await openDouble(options);
    return { double, device: await openAdapter(double, more) };
  };
  return { openDouble, openAdapter, start };
}

/** Returns the status of a reply, or the code and the message of the Problem. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    const { status } = (await work) as { readonly status?: number };
    return String(status);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return `${error.code}: ${error.message}`;
  }
}
