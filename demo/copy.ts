import { toast } from './toast.js';

/**
 * Copies a text to the clipboard and confirms it. Pages without https have no clipboard API, only the older
 * command.
 */
export async function copy(text: string, what: string): Promise<void> {
  try {
    if (isSecureContext) await navigator.clipboard.writeText(text);
    else copyBySelection(text);
    toast(`${what} copied`);
  } catch {
    toast('This browser did not allow copying.');
  }
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way outside secure contexts
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error('The copy command was refused.');
}
