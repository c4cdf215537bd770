import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { Button } from '../../kit/button.js';
import { Read } from '../../kit/feedback.js';
import { SelectField, TextField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { type AdapterTemplate, matchingTemplates, type StartingPoint } from './adapter-template.js';
import { useFirstFocus } from './use-first-focus.js';

const text = textOf('configure');

interface ChooseProps {
  readonly onChoose: (start: StartingPoint) => void;
}

/** Offers the known orchestrators, and every plugin. */
export function ChooseOrchestrator({ onChoose }: ChooseProps): ReactNode {
  const templates = useRead<{ readonly templates: readonly AdapterTemplate[] }>('/adapter-templates');
  const types = useRead<AdapterTypes>('/adapter-models/types');
  return (
    <>
      <Panel title={text('chooseTitle')}>
        <Read query={templates} what={text('templatesWhat')}>
          {(data) => <Catalog templates={data.templates} onChoose={onChoose} />}
        </Read>
      </Panel>
      <Panel title={text('otherTitle')}>
        <Read query={types} what={text('pluginsWhat')}>
          {(data) => <OtherPlugin models={typesWithoutAliases(data)} onChoose={onChoose} />}
        </Read>
      </Panel>
    </>
  );
}

interface CatalogProps extends ChooseProps {
  readonly templates: readonly AdapterTemplate[];
}

function Catalog({ templates, onChoose }: CatalogProps): ReactNode {
  const [search, setSearch] = useState('');
  const first = useFirstFocus();
  const found = matchingTemplates(templates, search);
  return (
    <div className="gh-stack">
      <p className="gh-quiet">{text('chooseHelp')}</p>
      <div ref={first} className="gh-catalog-search">
        <TextField label={text('searchLabel')} value={search} onChange={setSearch} />
      </div>
      {found.length === 0 && <p role="status">{text('noMatch')}</p>}
      <ul className="gh-catalog" aria-label={text('chooseTitle')}>
        {found.map((template) => (
          <li key={template.id}>
            <button type="button" className="gh-catalog-choice" onClick={() => onChoose(template)}>
              <strong>{template.title}</strong>
              <span>{template.summary}</span>
              <span className="gh-quiet">{template.login}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AdapterTypes {
  readonly adapterModels: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** Returns each type once: the server accepts all of these types as the model of a new adapter. */
function typesWithoutAliases({ adapterModels, aliases }: AdapterTypes): readonly string[] {
  return adapterModels.filter((type) => !Object.hasOwn(aliases, type));
}

interface OtherPluginProps extends ChooseProps {
  readonly models: readonly string[];
}

function OtherPlugin({ models, onChoose }: OtherPluginProps): ReactNode {
  const [model, setModel] = useState(models.includes('restconf') ? 'restconf' : (models[0] ?? ''));
  return (
    <div className="gh-stack">
      <SelectField
        label={text('plugin')}
        value={model}
        onChange={setModel}
        options={models.map((value) => ({ value, label: value }))}
      />
      <div className="gh-actions">
        <Button onPress={() => onChoose({ model })}>{text('usePlugin')}</Button>
      </div>
    </div>
  );
}
