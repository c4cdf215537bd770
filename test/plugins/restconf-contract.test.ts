import { plugin } from '../../plugins/restconf/index.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { NETCONFD } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { createRestconfDouble, type RestconfDouble } from '../support/restconf-double.js';
import { type Check, type Device, deviceOf } from './restconf-contract/device.js';
import { NETCONF_DIFFERENCES } from './restconf-contract/differences.js';
import { EDITING } from './restconf-contract/editing.js';
import {
  type RunningDevice,
  startDeviceWithState,
  startNetconfdDevice,
} from './restconf-contract/netconf-device.js';
import { READING } from './restconf-contract/reading.js';
import { contextFor, sendTo } from './send.js';

const CHECKS: readonly Check[] = [...READING, ...EDITING];

describe('the calls of RESTCONF through the plugin restconf', () => {
  let double: RestconfDouble;
  let device: Device;
  const clock = { now: () => Date.parse('2024-05-01T10:00:00Z') };
  beforeEach(async () => {
    double = await createRestconfDouble({ username: 'admin', password: 'admin', tls: false, clock });
    const send = sendTo({ ...double, login: 'admin:admin' });
    const adapter = plugin.create({}, contextFor(send).context);
    await adapter.start?.(AbortSignal.timeout(10_000));
    device = deviceOf(adapter, send);
  });
  afterEach(() => double.close());

  for (const check of CHECKS) it(check.title, () => check.run(device));
});

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
