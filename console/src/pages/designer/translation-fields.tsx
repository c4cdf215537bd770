import { type ReactNode, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { addLanguage, removeLanguage, setTranslations, translationsOf } from '../../design/translations.js';
import { Button } from '../../kit/button.js';
import { EntryForm, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { languageName, languageTag, useFormLanguage } from './form-preview.js';
import type { Design } from './use-design.js';

/** Renders the languages of the form, and its texts in the language of the preview. */
export function TranslationFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, change } = design;
  const { language, options, choose } = useFormLanguage(draft);
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('translations')}>
      <h3>{text('translations')}</h3>
      {options.length === 1 ? (
        <p className="gh-quiet">{text('translationsHelp')}</p>
      ) : (
        <SelectField label={text('language')} value={language} options={options} onChange={choose} />
      )}
      {language !== '' && <TextFields key={language} design={design} language={language} />}
      <NewLanguage
        onAdd={(tag) => {
          change(addLanguage(draft, tag));
          choose(tag);
        }}
      />
    </div>
  );
}

interface TextFieldsProps {
  readonly design: Design;
  readonly language: string;
}

/** A text of more characters is translated in several lines. */
const MAX_LINE = 60;

/** Renders every text of the form with its translation, and the translations that the form no longer uses. */
function TextFields({ design: { draft, change }, language }: TextFieldsProps): ReactNode {
  const { texts, unused } = translationsOf(draft, language);
  const missing = texts.filter(({ translation }) => translation === '').length;
  const removeUnused = () => {
    const removed = unused.map(({ text: original }) => ({ text: original, translation: '' }));
    change(setTranslations(draft, language, removed));
  };
  return (
    <>
      <p role="status">{text('translationsMissing', { count: missing, total: texts.length })}</p>
      {texts.map(({ text: original, translation }) => {
        const field = {
          label: original,
          value: translation,
          onChange: (next: string) =>
            change(
              setTranslations(draft, language, [{ text: original, translation: next }]),
              `${language} ${original}`,
            ),
        };
        return original.length > MAX_LINE || original.includes('\n') ? (
          <TextAreaField key={original} {...field} rows={3} />
        ) : (
          <TextField key={original} {...field} />
        );
      })}
      {unused.length > 0 && (
        <details>
          <summary>{text('translationsUnused', { count: unused.length })}</summary>
          <ul>
            {unused.map(({ text: original, translation }) => (
              <li key={original}>{text('translationPair', { original, translation })}</li>
            ))}
          </ul>
          <Button isSmall onPress={removeUnused}>
            {text('removeUnused')}
          </Button>
        </details>
      )}
      <div>
        <Button isSmall onPress={() => change(removeLanguage(draft, language))}>
          {text('removeLanguage', { language: languageName(language) })}
        </Button>
      </div>
    </>
  );
}

/** Languages that the browser offers while the user types. */
const SUGGESTED = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'zh'];

function NewLanguage({ onAdd }: { readonly onAdd: (tag: string) => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const tag = languageTag(typed);
  const add = () => {
    if (tag === undefined) return;
    onAdd(tag);
    setTyped('');
  };
  return (
    <EntryForm label={text('addLanguage')} onSubmit={add}>
      <TextField
        label={text('newLanguage')}
        value={typed}
        onChange={setTyped}
        suggestions={SUGGESTED}
        help={tag === undefined ? text('languageHelp') : languageName(tag)}
      />
      <div>
        <Button isSmall isDisabled={tag === undefined} onPress={add}>
          {text('addLanguage')}
        </Button>
      </div>
    </EntryForm>
  );
}
