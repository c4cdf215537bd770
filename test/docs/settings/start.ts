import { openFirstInstallation, type PageSettings, withExamples, withVault } from '../installations.js';

/** The pages about first steps whose commands are executed, each with its initial environment. */
export const START: PageSettings = {
  'README.md': openFirstInstallation,
  'config/examples/README.md': withExamples,
  'plugins/README.md': withVault,
};
