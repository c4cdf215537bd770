import assert from 'node:assert/strict';
import { type Check, LIST, outcomeChecks } from './device.js';

const ETH9 = { name: 'eth9', type: 'iana-if-type:ethernetCsmacd' };

/**
 * Checks of the plugin netconf in place of those with the same titles. The table in its README gives the reason of each.
 */
export const NETCONF_DIFFERENCES: readonly Check[] = [
  {
    title: 'reports the default of a leaf that is not set',
    async run({ call, get, outcome }) {
      await call(`POST ${LIST}`, { body: { 'ietf-interfaces:interface': [ETH9] } });
      const enabled = `${LIST}/interface=eth9/enabled`;
      assert.equal(await outcome(`GET ${enabled}`), '404 invalid-value');
      assert.deepEqual(await get(`${enabled}?with-defaults=report-all`), { 'ietf-interfaces:enabled': true });
    },
  },
  ...outcomeChecks([
    ['answers 400 to the query fields=name', `GET ${LIST}?fields=interface(name)`, '200'],
    [
      'refuses a body without a mandatory leaf, and changes nothing',
      `POST ${LIST}`,
      '409 data-missing',
      { body: { 'ietf-interfaces:interface': [{ name: 'eth9' }] } },
    ],
    [
      'answers 415 to a body of type application/json (section 5.2)',
      `POST ${LIST}`,
      '201',
      { body: { 'ietf-interfaces:interface': [ETH9] }, contentType: 'application/json' },
    ],
  ]),
];
