import type { Locator, Page } from 'playwright-core';
import { clickMiddle } from '../../support/pointer.js';

/** A person at a form, with mouse and keyboard. */
export interface Hand {
  readonly page: Page;
  /** Clicks into the text of a field, types, and leaves it. */
  readonly type: (label: string, text: string) => Promise<void>;
  /** Chooses an option of a menu. */
  readonly pick: (label: string, option: string) => Promise<void>;
  /** Clicks a radio button or a checkbox; `group` names the group around it. */
  readonly tick: (label: string, group?: string) => Promise<void>;
  readonly press: (name: string) => Promise<void>;
  /** Presses a button, and chooses a file in the dialog of the browser. */
  readonly file: (label: string, file: { name: string; mimeType: string; buffer: Buffer }) => Promise<void>;
  /** Waits for a text on the page. */
  readonly see: (text: string | RegExp) => Promise<void>;
}

/** One schema of the form engine, what a person does with it, and the document that results. */
export interface SchemaCase {
  /** True for a schema that is not only some fields of an object: it has a page of its own. */
  readonly isAlone?: boolean;
  readonly schema: object;
  readonly ui?: object;
  readonly data?: unknown;
  /** Language of the page; English by default. */
  readonly language?: string;
  readonly fill: (hand: Hand) => Promise<unknown>;
  readonly wanted: unknown;
}

/** Returns the hands of a person at a page. */
export function handAt(page: Page): Hand {
  const click = (element: Locator) => clickMiddle(page, element);
  /** The label of a required field has more words. */
  const labelled = (label: string) => page.getByLabel(new RegExp(`^${label}(?: \\* required)?$`));
  return {
    page,
    async type(label, text) {
      const field = labelled(label).and(page.locator('input:not([type=checkbox]), textarea')).first();
      await click(field);
      await page.keyboard.press('ControlOrMeta+a');
      for (const letter of text) await page.keyboard.insertText(letter);
      await page.keyboard.press('Tab');
    },
    pick: async (label, option) => {
      await labelled(label).and(page.locator('select')).selectOption({ label: option });
    },
    async tick(label, group) {
      const at = group === undefined ? page : page.getByRole('radiogroup', { name: group, exact: true });
      const named = { name: label, exact: true };
      await click(at.getByRole('radio', named).or(at.getByRole('checkbox', named)));
    },
    press: (name) => click(page.getByRole('button', { name, exact: true })),
    async file(label, file) {
      const opened = page.waitForEvent('filechooser');
      const [chooser] = await Promise.all([opened, click(page.getByLabel(label, { exact: true }))]);
      await chooser.setFiles(file);
    },
    see: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
  };
}
