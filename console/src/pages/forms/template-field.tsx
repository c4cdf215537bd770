import type { ReactNode } from 'react';
import { outlineOf } from '../../design/outline.js';
import { type FormTemplate, TEMPLATES } from '../../design/templates.js';
import { SelectField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';

const text = textOf('forms');

const TITLE_KEYS = {
  interface: 'templateInterface',
  maintenance: 'templateMaintenance',
  vlan: 'templateVlan',
  firewall: 'templateFirewall',
} as const;

interface TemplateFieldProps {
  readonly template: FormTemplate;
  readonly onChange: (template: FormTemplate) => void;
}

/** Renders the choice of a template, with the fields that it has. */
export function TemplateField({ template, onChange }: TemplateFieldProps): ReactNode {
  const titles = outlineOf(template).children.map(({ title }) => title);
  return (
    <SelectField
      label={text('template')}
      value={template.key}
      options={TEMPLATES.map(({ key }) => ({ value: key, label: text(TITLE_KEYS[key]) }))}
      onChange={(chosen) => onChange(TEMPLATES.find(({ key }) => key === chosen) ?? template)}
      help={text('templateFields', { names: titles.join(', ') })}
    />
  );
}
