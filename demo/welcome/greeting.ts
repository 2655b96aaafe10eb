import { find } from './find.js';

/** Answers the form inside the page. Sends nothing. */
export function greet(form: HTMLFormElement): void {
  const answer = find(HTMLOutputElement, '.answer');
  const show = () => {
    const data = new FormData(form);
    const text = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    answer.textContent = `Hello ${text('name') || 'stranger'}, you like it ${text('mood')}.`;
    answer.classList.add('said');
    answer.style.color = text('colour');
    answer.style.fontSize = `${text('size')}px`;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
  });
  form.addEventListener('input', () => answer.classList.contains('said') && show());
}
