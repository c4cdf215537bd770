import { vanillaCells, vanillaRenderers } from '@jsonforms/vanilla-renderers';
import { openPage } from './json-forms-page.js';

openPage(vanillaRenderers, vanillaCells);
