import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { NETCONFD } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import type { Check } from './restconf-contract/device.js';
import { NETCONF_DIFFERENCES } from './restconf-contract/differences.js';
import { EDITING } from './restconf-contract/editing.js';
import {
  type RunningDevice,
  startDeviceWithState,
  startNetconfdDevice,
} from './restconf-contract/netconf-device.js';
import { READING } from './restconf-contract/reading.js';

const CHECKS: readonly Check[] = [...READING, ...EDITING];

describeWith(NETCONFD, 'the calls of RESTCONF through the plugin netconf', () => {
  let netconfd: RunningDevice;
  let withState: RunningDevice;
  const opened = openedBySuite();
  before(async () => {
    netconfd = await opened(startNetconfdDevice());
    withState = await opened(startDeviceWithState());
  });
  beforeEach(() => netconfd.reset());

  for (const check of CHECKS) {
    const own = NETCONF_DIFFERENCES.find(({ title }) => title === check.title) ?? check;
    const suffix = own === check ? '' : ': not here';
    it(`${check.title}${suffix}`, () => own.run((check.needs ? withState : netconfd).device));
  }
});

describe('the README of the plugin netconf', () => {
  it('has a row for each call that differs from the plugin restconf', () => {
    const readme = readFileSync('plugins/netconf/README.md', 'utf8');
    for (const { title } of NETCONF_DIFFERENCES) {
      assert.ok(
        CHECKS.some((check) => check.title === title),
        title,
      );
      assert.ok(readme.includes(`| ${title} `), title);
    }
  });
});
