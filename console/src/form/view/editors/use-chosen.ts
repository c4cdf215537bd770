import { labelOf, type Option, type Row } from '../../model/index.js';
import { useFormController } from '../form-controller.js';

/**
 * Returns the options of a row, its own and those of its binding, and a function that chooses an option by
 * its text.
 */
export function useChosen(row: Row): {
  readonly options: readonly Option[];
  readonly choose: (text: string) => void;
} {
  const controller = useFormController();
  const options = optionsOf(row);
  return {
    options,
    choose: (text) => {
      const option = options.find(({ value }) => labelOf(value) === text);
      if (option) controller.edit({ kind: 'set', pointer: row.pointer, value: option.value });
      else if (text === '') controller.edit({ kind: 'clear', pointer: row.pointer });
    },
  };
}

/** Returns the options that are available in a row. */
export function optionsOf({ editor, bound }: Row): readonly Option[] {
  if (bound?.state === 'ready') return bound.options;
  return 'options' in editor ? editor.options : [];
}
