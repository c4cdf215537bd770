import { openFirstInstallation, type PageSettings, withExamples, withVault } from '../installations.js';
import { openFirstCall, openFirstForm, openFirstPlugin } from './tutorials.js';

/** The pages about first steps whose commands are executed, each with its initial environment. */
export const START: PageSettings = {
  'README.md': openFirstInstallation,
  'config/examples/README.md': withExamples,
  'docs/tutorial/first-call.md': openFirstCall,
  'docs/tutorial/first-form.md': openFirstForm,
  'docs/tutorial/first-plugin.md': openFirstPlugin,
  'plugins/README.md': withVault,
};
