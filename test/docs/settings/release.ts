import type { OpenSetting, PageSettings } from '../installations.js';
import { openDemo } from './demo.js';

/** The pages about releases whose commands are executed, each with its initial environment. */
export const RELEASE: PageSettings = {
  'docs/how-to/upgrade.md': withCommands,
};

/** The demo server, at the address that the command `gatehouse` connects to. */
async function withCommands(): Promise<OpenSetting> {
  const setting = await openDemo();
  return { ...setting, env: { ...setting.env, GATEHOUSE: setting.world.url } };
}
