import { materialCells, materialRenderers } from '@jsonforms/material-renderers';
import { openPage } from './json-forms-page.js';

openPage(materialRenderers, materialCells);
