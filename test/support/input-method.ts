import type { Page } from 'playwright-core';

/** Composes a text in the focused input as a Japanese input method does, and ends the composition with Enter. */
export async function compose(page: Page, text: string): Promise<void> {
  const device = await page.context().newCDPSession(page);
  await device.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
  // The browser reports the Enter to the page, and the input method takes it.
  await device.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await device.send('Input.insertText', { text });
  await device.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', windowsVirtualKeyCode: 229 });
  await device.detach();
}
